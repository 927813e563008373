import type { FastifyRequest } from 'fastify'
import type { Account } from '#lib/caller.ts'
import { linksOf } from '#platform/extra.ts'
import { formOf } from './field.ts'
import { attributes, type Html, html, trusted } from './html.ts'

/** A page in the navigation. */
export interface NavLink {
  name: string
  path: string
  isCurrent?: boolean
  /** The pages below it, which are shown while it is the current one. */
  children?: NavLink[]
}

/** The pages of a project, of a group, of the settings or of the admin area. */
export interface NavSection {
  name: string
  groups: { title?: string; links: NavLink[] }[]
}

const bell = trusted(
  `<svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true"><path fill="currentColor" d="M12 2a1.6 1.6 0 0 1 1.6 1.6v.6a6.600 6.600 0 0 1 5 6.400c0 4.200 1 5.700 1.900 6.500.5.5.2 1.400-.5 1.400H4c-.7 0-1-.9-.5-1.400.9-.8 1.900-2.300 1.900-6.500a6.600 6.600 0 0 1 5-6.400v-.6A1.600 1.600 0 0 1 12 2Zm-2.500 18h5a2.500 2.500 0 0 1-5 0Z"/></svg>`
)
const brand = html`<a class="brand" href="/">${bell} Tocsin</a>`

/** The bar of a phone, which opens the sidebar, and of pages without a sidebar. */
export function topBar(hasSidebar: boolean) {
  return html`
  <header class="bar">
    ${hasSidebar && html`<button class="quiet opener" type="button" popovertarget="sidebar" aria-label="Navigation">${trusted('<svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true"><path stroke="currentColor" stroke-width="2" d="M3 6h18M3 12h18M3 18h18"/></svg>')}</button>`}
    ${brand}
  </header>`
}

/** Beside the page; on a phone, a popover, which opens and closes without a script. */
export function sidebar(request: FastifyRequest, section: NavSection | undefined) {
  const user = request.caller?.user

  return html`
  <div id="sidebar" class="sidebar" popover>
    ${brand}
    <div class="nav-pages">
      ${user && navigation(user, request.url)}
      ${section && sectionNavigation(section)}
    </div>
    ${user ? userMenu(user, request) : html`<p class="account"><a class="button plain" href="/users/sign_in">Sign in</a></p>`}
  </div>`
}

function navigation(user: Account, url: string) {
  const current = url.split('?')[0]!
  const pages: [path: string, name: string][] = [
    ['/', 'Home'],
    ['/alerts', 'Alerts'],
    ['/incidents', 'Incidents'],
    ['/projects', 'Projects']
  ]

  if (user.isAdmin) pages.push(['/admin', 'Admin'])

  return html`
    <nav aria-label="Main">
      <a class="finder" href="/search" data-switcher>Search <kbd data-scripted>Ctrl K</kbd></a>
      <div class="links">${pages.map(([path, name]) => navLink({ path, name, isCurrent: path === current }))}</div>
    </nav>`
}

function sectionNavigation({ name, groups }: NavSection) {
  return html`
    <nav aria-label="${name}">
      <p class="nav-title section">${name}</p>
      ${groups.map(({ title, links }) => links.length > 0 && html`${title && html`<p class="nav-title">${title}</p>`}<div class="links">${links.map(navLink)}</div>`)}
    </nav>`
}

function navLink({ name, path, isCurrent, children }: NavLink): Html {
  const isOpen = isCurrent || children?.some(child => child.isCurrent)
  const below = isOpen && children && html`<div class="below">${children.map(navLink)}</div>`

  return html`<a${attributes({ href: path, 'aria-current': isCurrent && !below && 'page', class: isOpen && below && 'open' })}>${name}</a>${below}`
}

function userMenu(user: Account, request: FastifyRequest) {
  return html`
    <div class="account">
      <button class="quiet who" type="button" popovertarget="user-menu"><span>${user.username}</span></button>
      <div class="menu" id="user-menu" popover>
        <p><strong>${user.name}</strong><br>${user.username}</p>
        <a href="/-/profile">Settings</a>
        ${linksOf(request.server.platform.extras, 'user').map(({ name, path }) => html`<a href="${path}">${name}</a>`)}
        <a href="/help/api">REST API</a>
        ${formOf(request, { action: '/users/sign_out' }, html`<button class="quiet">Sign out</button>`)}
      </div>
    </div>`
}
