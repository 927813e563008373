import type { FastifyRequest } from 'fastify'
import type { Account } from '#api/guards/guards.ts'
import { linksOf } from '#platform/extra.ts'
import { formOf } from './field.ts'
import { html, trusted } from './html.ts'

const bell = trusted(
  `<svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true"><path fill="currentColor" d="M12 2a1.6 1.6 0 0 1 1.6 1.6v.6a6.600 6.600 0 0 1 5 6.400c0 4.200 1 5.700 1.900 6.500.5.5.2 1.400-.5 1.400H4c-.7 0-1-.9-.5-1.400.9-.8 1.900-2.300 1.900-6.500a6.600 6.600 0 0 1 5-6.400v-.6A1.600 1.600 0 0 1 12 2Zm-2.500 18h5a2.500 2.500 0 0 1-5 0Z"/></svg>`
)

/** Navigation and user menu. */
export function header(request: FastifyRequest) {
  const user = request.caller?.user

  return html`
  <header class="top">
    <a class="brand" href="/">${bell} Tocsin</a>
    ${user && navigation(user, request.url)}
    ${user && userMenu(user, request)}
  </header>`
}

function navigation(user: Account, url: string) {
  const pages = {
    '/': 'Home',
    '/alerts': 'Alerts',
    '/incidents': 'Incidents',
    '/projects': 'Projects',
    ...(user.isAdmin && { '/admin/users': 'Admin' })
  }

  return html`
    <nav class="places" aria-label="Main">
      ${Object.entries(pages).map(([path, name]) => link(path, name, url))}
      <a href="/search" data-switcher>Search <kbd data-scripted>Ctrl K</kbd></a>
    </nav>`
}

export function link(path: string, name: string, url: string) {
  const isCurrent = url.split('?')[0] === path

  return html`<a href="${path}"${isCurrent && trusted(' aria-current="page"')}>${name}</a>`
}

/** A popover opens and closes without a script. */
function userMenu(user: Account, request: FastifyRequest) {
  return html`
    <button class="quiet who" type="button" popovertarget="user-menu"><span>${user.username}</span></button>
    <div class="menu" id="user-menu" popover>
      <p><strong>${user.name}</strong><br>${user.username}</p>
      <a href="/-/profile">Settings</a>
      ${linksOf(request.server.platform.extras, 'user').map(({ name, path }) => html`<a href="${path}">${name}</a>`)}
      ${formOf(request, { action: '/users/sign_out' }, html`<button class="quiet">Sign out</button>`)}
    </div>`
}
