import type { FastifyRequest } from 'fastify'
import { mayChange } from '#projects/members/change-members.ts'
import type { MemberRow } from '#projects/members/list-members.ts'
import { roleName } from '#projects/members/member.ts'
import { MemberBody } from '#projects/members/member-schemas.ts'
import { isVisibleToNonMembers } from '#projects/visibility/is-visible-to-non-members.ts'
import { formOf } from '../layout/field.ts'
import { Form } from '../layout/form.ts'
import { html } from '../layout/html.ts'
import { day, lastDay } from '../layout/time.ts'
import { roleAndExpiry } from './member-form.ts'
import type { MembersContext } from './members-context.ts'

/** A membership of the project or group itself, with what the reader may do with it. */
export function directRow(request: FastifyRequest, context: MembersContext, row: MemberRow) {
  const isOwn = row.user.id === request.user.id
  const mayManage = mayChange(context.source, row.access_level)

  return html`
    <li>
      <div>${person(request, row)}<p class="hint">Since ${day(row.created_at)}${expiry(row)}</p></div>
      ${
        (mayManage || isOwn) &&
        html`<details class="manage">
          <summary class="button plain small">${mayManage ? 'Change' : 'Leave'}<span class="visually-hidden">: @${row.user.username}</span></summary>
          ${mayManage && changeForm(request, context, row)}
          ${context.source.ownerId !== row.user.id && removalForm(request, context, row, isOwn)}
        </details>`
      }
    </li>`
}

/** A membership that comes from elsewhere, and from where. */
export function inheritedRow(request: FastifyRequest, context: MembersContext, row: MemberRow) {
  return html`<li><div>${person(request, row)}<p class="hint">${origin(request, context, row)}${expiry(row)}</p></div></li>`
}

function person(request: FastifyRequest, { user, access_level: level }: MemberRow) {
  return html`
    <p><a href="/${user.username}"><strong>${user.name}</strong></a> <span class="hint">@${user.username}</span> <span class="badge">${roleName(level)}</span>
    ${user.id === request.user.id && html`<span class="badge good">you</span>`}${user.state !== 'active' && html` <span class="badge">${user.state}</span>`}</p>`
}

/** Only members learn about groups that non-members cannot see. */
function origin(request: FastifyRequest, { source }: MembersContext, { group, is_shared: isShared }: MemberRow) {
  if (!group) return 'Owner of the namespace'
  const isNamed = source.role > 0 || isVisibleToNonMembers(request.user, group.visibility)
  const name = isNamed ? html`<a href="/groups/${group.full_path}">${group.full_path}</a>` : 'a group'

  return isShared ? html`Shared with ${name}` : html`Inherited from ${name}`
}

function expiry({ expires_at: day }: MemberRow) {
  return day && html` · until ${lastDay(day)}`
}

function changeForm(request: FastifyRequest, { source, url }: MembersContext, row: MemberRow) {
  const { id } = row.user

  return formOf(
    request,
    { action: `${url}/${id}`, class: 'filter' },
    html`${roleAndExpiry(source, new Form(MemberBody, row), `-${id}`)}<button class="plain">Save</button>`
  )
}

function removalForm(request: FastifyRequest, { noun, url }: MembersContext, { user }: MemberRow, isOwn: boolean) {
  return formOf(
    request,
    { action: `${url}/${user.id}/removal` },
    html`<button class="plain">${isOwn ? `Leave the ${noun}` : html`Remove @${user.username} from the ${noun}`}</button>`
  )
}
