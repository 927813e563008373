import type { FastifyReply } from 'fastify'
import { linksOf } from '#platform/extra.ts'
import { Role } from '#projects/members/member.ts'
import { type Html, html } from '../layout/html.ts'
import { page } from '../layout/page.ts'
import { tabLink } from '../projects/project-page.ts'
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

/** A page of a group with its name and, for those who are signed in, tabs. */
export function groupFrame(reply: FastifyReply, { group, groupUrl, role }: GroupContext, { title, tab, menu }: GroupPage, content: Html) {
  const isSignedIn = reply.request.caller !== undefined
  const settings = [...settingsOfCore, ...linksOf(reply.server.platform.extras, 'settings')]
  const isSetting = settings.some(({ path }) => path === tab)

  return page(
    reply,
    { title: tab === 'overview' ? group.name : `${title} · ${group.name}` },
    html`
    <div class="project">
      <div class="heading"><p class="trail">Group <span aria-hidden="true">/</span> <strong>${group.name}</strong> <span class="hint">${group.fullPath}</span></p>${menu}</div>
      ${
        isSignedIn &&
        html`<nav class="tabs" aria-label="${group.name}">
        ${tabLink(`/groups/${group.fullPath}`, 'Overview', tab === 'overview')}
        ${tabLink(`${groupUrl}/members`, 'Members', tab === 'members')}
        ${role >= Role.owner && tabLink(`${groupUrl}/settings`, 'Settings', isSetting)}
      </nav>`
      }
      ${isSetting && html`<nav class="tabs" aria-label="Settings">${settings.map(({ path, name }) => tabLink(`${groupUrl}/${path}`, name, path === tab))}</nav>`}
    </div>
    ${tab !== 'settings' && deletionBanner({ noun: 'group', markedAt: group.markedForDeletionAt, settingsUrl: role >= Role.owner && `${groupUrl}/settings` })}
    ${content}`
  )
}
