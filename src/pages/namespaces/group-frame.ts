import type { FastifyReply } from 'fastify'
import { type Extra, linksOf } from '#platform/extra.ts'
import { Role } from '#projects/members/member.ts'
import { type Html, html } from '../layout/html.ts'
import { page } from '../layout/page.ts'
import type { NavLink, NavSection } from '../layout/sidebar.ts'
import { deletionBanner } from './deletion-mark.ts'
import type { GroupContext } from './group-context.ts'

/** The pages of the tab Settings. */
const settingsOfCore = [{ path: 'settings', name: 'General' }]

interface GroupPage {
  title: string
  tab: string
  /** Beside the name of the group. */
  menu?: Html | undefined
}

/** A page of a group; the group's pages are in the sidebar of those who are signed in. */
export function groupFrame(reply: FastifyReply, context: GroupContext, { title, tab, menu }: GroupPage, content: Html) {
  const { group, groupUrl, role } = context
  const section = reply.request.caller && groupSection(context, reply.server.platform.extras, tab)

  return page(
    reply,
    { title: tab === 'overview' ? group.name : `${title} · ${group.name}`, section },
    html`
    <div class="heading"><p class="trail"><a href="/projects#groups">Groups</a> <span aria-hidden="true">/</span> <a href="/groups/${group.fullPath}">${group.name}</a>${group.fullPath.toLowerCase() !== group.name.toLowerCase() && html` <span class="hint">${group.fullPath}</span>`}</p>${menu}</div>
    ${tab !== 'settings' && deletionBanner({ noun: 'group', markedAt: group.markedForDeletionAt, settingsUrl: role >= Role.owner && `${groupUrl}/settings` })}
    ${content}`
  )
}

function groupSection({ group, groupUrl, role }: GroupContext, extras: Extra[], tab: string): NavSection {
  const settings = [...settingsOfCore, ...linksOf(extras, 'settings')].map(({ path, name }) => ({
    name,
    path: `${groupUrl}/${path}`,
    isCurrent: path === tab
  }))
  const links: NavLink[] = [
    { name: 'Overview', path: `/groups/${group.fullPath}`, isCurrent: tab === 'overview' },
    { name: 'Members', path: `${groupUrl}/members`, isCurrent: tab === 'members' }
  ]

  if (role >= Role.owner) links.push({ name: 'Settings', path: `${groupUrl}/settings`, children: settings })

  return { name: group.name, groups: [{ links }] }
}
