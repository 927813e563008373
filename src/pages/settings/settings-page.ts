import type { FastifyReply } from 'fastify'
import { link } from '../layout/header.ts'
import { type Html, html } from '../layout/html.ts'
import { page } from '../layout/page.ts'

const places = {
  '/-/profile': 'Profile',
  '/-/profile/password': 'Password',
  '/-/profile/two_factor': 'Two-factor',
  '/-/profile/sessions': 'Sessions',
  '/-/profile/tokens': 'Access tokens'
}

export type SettingsPath = keyof typeof places

/** A page of one's own settings, beside the list of all of them. */
export function settingsPage(reply: FastifyReply, path: SettingsPath, content: Html) {
  return page(
    reply,
    { title: `${places[path]} · Settings` },
    html`
    <div class="beside">
      <nav class="side" aria-label="Settings">${Object.entries(places).map(([to, name]) => link(to, name, path))}</nav>
      <div>${content}</div>
    </div>`
  )
}
