import type { FastifyReply } from 'fastify'
import { link } from '../layout/header.ts'
import { type Html, html } from '../layout/html.ts'
import { page } from '../layout/page.ts'

const titles = {
  '/-/profile': 'Profile',
  '/-/profile/emails': 'E-mail addresses',
  '/-/profile/notifications': 'Notifications',
  '/-/profile/password': 'Password',
  '/-/profile/two_factor': 'Two-factor authentication',
  '/-/profile/sessions': 'Sessions',
  '/-/profile/tokens': 'Access tokens',
  '/-/profile/applications': 'Applications'
}

/** A settings page with its side navigation. */
export function settingsPage(reply: FastifyReply, path: keyof typeof titles, content: Html) {
  return page(
    reply,
    { title: `${titles[path]} · Settings` },
    html`
    <div class="beside">
      <nav class="side" aria-label="Settings">${Object.entries(titles).map(([to, name]) => link(to, name, path))}</nav>
      <div>${content}</div>
    </div>`
  )
}
