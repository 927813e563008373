import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { redirect } from '#api/redirect.ts'
import { approveRequest, denyRequest, requestAccess } from '#projects/access-requests/change-access-requests.ts'
import { listAccessRequests } from '#projects/access-requests/list-access-requests.ts'
import { Role } from '#projects/members/member.ts'
import { MemberBody } from '#projects/members/member-schemas.ts'
import type { PersonLike } from '#projects/present-project.ts'
import { attempt, inOneText } from '../layout/attempt.ts'
import { formOf } from '../layout/field.ts'
import { flash } from '../layout/flash.ts'
import { Form, readForm } from '../layout/form.ts'
import { html } from '../layout/html.ts'
import { day } from '../layout/time.ts'
import { type Links, pageAt, pager } from '../list.ts'
import { requirePerson } from '../sign-in/require-sign-in.ts'
import type { Answers } from './group-shares.ts'
import { roleField, toAttributes } from './member-form.ts'
import type { MembersContext } from './members-context.ts'

const maxCounted = 1000

/** Users ask for access; those who manage members approve or deny. */
export function requestActions(app: FastifyInstance, path: string, { find, done, refused }: Answers) {
  const guard = { onRequest: requirePerson(app) }
  const removal = { ...guard, config: { allowsReadOnly: true as const } }
  const requests = `${path}/requests`

  app.post(requests, guard, async (request, reply) => {
    const context = await find(request)
    const { problems } = await attempt(() => requestAccess(context.em, context.source, request.user, request.actor))

    return toSource(reply, context, problems ? inOneText(problems) : 'Access requested.')
  })

  app.post(`${requests}/withdrawal`, removal, async (request, reply) => {
    const context = await find(request)

    await denyRequest(context.em, context.source, request.user.id, request.actor)

    return toSource(reply, context, 'Access request withdrawn.')
  })

  app.post<{ Params: { user_id: string } }>(`${requests}/:user_id(^\\d{1,15}$)/approval`, guard, async (request, reply) => {
    const context = await find(request)
    const form = readForm(request, MemberBody)
    const saved = await form.save(body =>
      approveRequest(context.em, context.source, Number(request.params.user_id), toAttributes(body).accessLevel, request.actor)
    )

    return saved ? done(reply, context, 'Request approved.') : refused(reply, context, form.problems)
  })

  app.post<{ Params: { user_id: string } }>(`${requests}/:user_id(^\\d{1,15}$)/denial`, removal, async (request, reply) => {
    const context = await find(request)

    await denyRequest(context.em, context.source, Number(request.params.user_id), request.actor)

    return done(reply, context, 'Request denied.')
  })
}

/** Nothing when there are none. */
export async function requestsSection(request: FastifyRequest, context: MembersContext, { number, url }: Links) {
  const list = listAccessRequests(context.em, context.source)
  const total = await list.count(maxCounted)

  if (total === 0) return undefined
  const { rows, ...around } = await pageAt(list, number)

  return html`
    <h2>Access requests <span class="hint">${total}</span></h2>
    <ul class="rows members">${rows.map(({ user, requested_at: at }) => requestRow(request, context, user!, at))}</ul>
    ${pager(around, url)}`
}

function requestRow(request: FastifyRequest, { source, url }: MembersContext, { id, name, username }: PersonLike, requestedAt: Date) {
  return html`
    <li>
      <div>
        <p><a href="/${username}"><strong>${name}</strong></a> <span class="hint">@${username}</span></p>
        <p class="hint">Asked ${day(requestedAt)}</p>
      </div>
      <details class="manage">
        <summary class="button plain small">Decide<span class="visually-hidden">: @${username}</span></summary>
        ${formOf(request, { action: `${url}/requests/${id}/approval`, class: 'filter' }, html`${roleField(source, new Form(MemberBody, { access_level: Role.developer }), `-asked-${id}`)}<button>Approve @${username}</button>`)}
        ${formOf(request, { action: `${url}/requests/${id}/denial` }, html`<button class="plain">Deny @${username}</button>`)}
      </details>
    </li>`
}

function toSource(reply: FastifyReply, { source }: MembersContext, text: string) {
  flash(reply, text)

  return redirect(reply, source.type === 'Project' ? `/projects/${source.id}` : `/groups/${source.path}`)
}
