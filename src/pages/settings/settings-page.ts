import type { FastifyReply } from 'fastify'
import type { Html } from '../layout/html.ts'
import { page } from '../layout/page.ts'

const titles = {
  '/-/profile': 'Profile',
  '/-/profile/emails': 'E-mail addresses',
  '/-/profile/notifications': 'Notifications',
  '/-/profile/password': 'Password',
  '/-/profile/two_factor': 'Two-factor authentication',
  '/-/profile/passkeys': 'Passkeys',
  '/-/profile/identities': 'Connected sign-ins',
  '/-/profile/sessions': 'Sessions',
  '/-/profile/tokens': 'Access tokens',
  '/-/profile/applications': 'Applications',
  '/-/profile/account': 'Account'
}

/** A page of the user's settings, with the others in the sidebar. */
export function settingsPage(reply: FastifyReply, path: keyof typeof titles, content: Html) {
  const hasProvider = reply.server.platform.config.oidc !== undefined
  const links = Object.entries(titles)
    .filter(([to]) => hasProvider || to !== '/-/profile/identities')
    .map(([to, name]) => ({ name, path: to, isCurrent: to === path }))

  return page(reply, { title: `${titles[path]} · Settings`, section: { name: 'Settings', groups: [{ links }] } }, content)
}
