import type { Account } from '#api/guards/guards.ts'
import { type Extra, linksOf } from '#platform/extra.ts'

interface SitePage {
  name: string
  path: string
  isForAdmins?: boolean
}

const pages: SitePage[] = [
  { name: 'Home', path: '/' },
  { name: 'Alerts of all projects', path: '/alerts' },
  { name: 'Projects', path: '/projects' },
  { name: 'New project', path: '/projects/new' },
  { name: 'New group', path: '/groups/-/new' },
  { name: 'Profile', path: '/-/profile' },
  { name: 'Password', path: '/-/profile/password' },
  { name: 'Two-factor authentication', path: '/-/profile/two_factor' },
  { name: 'Sessions', path: '/-/profile/sessions' },
  { name: 'Notification settings', path: '/-/profile/notifications' },
  { name: 'Access tokens', path: '/-/profile/tokens' },
  { name: 'REST API help', path: '/help/api' },
  { name: 'Deprecations', path: '/help/deprecations' },
  { name: 'Users', path: '/admin/users', isForAdmins: true },
  { name: 'Mail', path: '/admin/mail', isForAdmins: true },
  { name: 'Processes and backlogs', path: '/admin/processes', isForAdmins: true },
  { name: 'Queues', path: '/admin/queues', isForAdmins: true },
  { name: 'Storages', path: '/admin/storages', isForAdmins: true }
]

/** The pages of the site whose name contains the text. */
export function findSitePages(user: Account, extras: Extra[], text: string) {
  const searched = text.toLowerCase()

  const ofExtras = linksOf(extras, 'admin').map(({ name, path }) => ({ name, path: `/admin/${path}`, isForAdmins: true }))

  return [...pages, ...ofExtras].filter(({ name, isForAdmins }) => (user.isAdmin || !isForAdmins) && name.toLowerCase().includes(searched))
}
