import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { Nullable } from '#lib/nullable.ts'
import type { Namespace } from '#namespaces/namespace.ts'
import { visibleGroups } from '#projects/groups/list-groups.ts'
import { mayChange } from '#projects/members/change-members.ts'
import { shareWithGroup, unshareWithGroup } from '#projects/members/change-shares.ts'
import { GroupShare } from '#projects/members/group-share.ts'
import { Role, roleName } from '#projects/members/member.ts'
import { MemberBody } from '#projects/members/member-schemas.ts'
import { ownedBy } from '#projects/members/member-source.ts'
import { isVisibleToNonMembers } from '#projects/visibility/is-visible-to-non-members.ts'
import type { Problems } from '../layout/attempt.ts'
import { formOf } from '../layout/field.ts'
import { Form, readForm } from '../layout/form.ts'
import { html } from '../layout/html.ts'
import { lastDay } from '../layout/time.ts'
import { requirePerson } from '../sign-in/require-sign-in.ts'
import { roleAndExpiry, toAttributes } from './member-form.ts'
import type { MembersContext } from './members-context.ts'

const maxGroups = 200
const ShareForm = Type.Object({ ...MemberBody.properties, group_id: Nullable(Type.Integer()) })

/** What the pages of members do after a change. */
export interface Answers {
  find: (request: FastifyRequest) => Promise<MembersContext>
  done: (reply: FastifyReply, context: MembersContext, text: string) => FastifyReply
  refused: (reply: FastifyReply, context: MembersContext, problems: Problems) => Promise<FastifyReply>
}

/** A project or group is shared with a group, whose members then have at most a role in it. */
export function shareActions(app: FastifyInstance, path: string, { find, done, refused }: Answers) {
  const guard = { onRequest: requirePerson(app) }

  app.post(`${path}/groups`, guard, async (request, reply) => {
    const context = await find(request)
    const form = readForm(request, ShareForm)
    const saved = await form.save(({ group_id: groupId, ...body }) =>
      shareWithGroup(context.em, context.source, request.user, { ...toAttributes(body), groupId: groupId ?? 0 }, request.actor)
    )

    return saved ? done(reply, context, 'The group now has access.') : refused(reply, context, form.problems)
  })

  app.post<{ Params: { group_id: string } }>(
    `${path}/groups/:group_id(^\\d{1,15}$)/removal`,
    { ...guard, config: { allowsReadOnly: true } },
    async (request, reply) => {
      const context = await find(request)

      await unshareWithGroup(context.em, context.source, Number(request.params.group_id), request.actor)

      return done(reply, context, 'The group no longer has access.')
    }
  )
}

export async function sharesSection(request: FastifyRequest, context: MembersContext) {
  const { em, source } = context
  const today = new Date().toISOString().slice(0, 10)
  const stored = await em.find(GroupShare, ownedBy(source), { populate: ['withGroup'], orderBy: { id: 'asc' } })
  const shares = stored.filter(
    ({ expiresAt, withGroup }) =>
      (!expiresAt || expiresAt >= today) && (source.role > 0 || isVisibleToNonMembers(request.user, (withGroup as Namespace).visibility))
  )

  return html`
    <h2>Groups with access</h2>
    ${shares.length > 0 ? html`<ul class="rows members">${shares.map(share => row(request, context, share))}</ul>` : html`<p class="hint">None.</p>`}
    ${mayChange(source) && (await shareForm(request, context))}`
}

function row(request: FastifyRequest, { source, url }: MembersContext, { withGroup, accessLevel, expiresAt }: GroupShare) {
  const { id, name, fullPath } = withGroup as Namespace

  return html`
    <li>
      <div><p><a href="/groups/${fullPath}"><strong>${name}</strong></a> <span class="hint">${fullPath}</span> <span class="badge">${roleName(accessLevel)} at most</span></p>
        ${expiresAt && html`<p class="hint">Until ${lastDay(expiresAt)}</p>`}</div>
      ${
        mayChange(source, accessLevel) &&
        html`<details class="manage">
          <summary class="button plain small">Remove…<span class="visually-hidden">: ${fullPath}</span></summary>
          ${formOf(request, { action: `${url}/groups/${id}/removal` }, html`<button class="plain">Stop sharing with ${name}</button>`)}
        </details>`
      }
    </li>`
}

async function shareForm(request: FastifyRequest, { em, source, url }: MembersContext) {
  const groups = await (await visibleGroups(em, request.user, { allAvailable: false })).list(maxGroups)
  const groupsToChoose = groups
    .filter(({ id }) => source.id !== id || source.type === 'Project')
    .filter(({ id }) => !source.ancestorIds.includes(id))

  if (groupsToChoose.length === 0) return undefined
  const form = new Form(ShareForm, { access_level: Role.developer })

  return form.render(
    request,
    { action: `${url}/groups`, class: 'filter' },
    html`
    ${form.select('group_id', { label: 'Group', options: groupsToChoose.map(({ id, fullPath }): [string, string] => [String(id), fullPath]) })}
    ${roleAndExpiry(source, form, '-share')}
    <button class="plain">Share</button>`
  )
}
