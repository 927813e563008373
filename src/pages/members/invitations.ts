import type { FastifyInstance, FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { Actor } from '#audit/record-audit-event.ts'
import { resendInvitation, updateInvitation, withdrawInvitation } from '#projects/invitations/change-invitations.ts'
import { Invitation } from '#projects/invitations/invitation.ts'
import { invitationUrl } from '#projects/invitations/invitation-token.ts'
import { type InvitationRow, listInvitations } from '#projects/invitations/list-invitations.ts'
import { mayChange } from '#projects/members/change-members.ts'
import { roleName } from '#projects/members/member.ts'
import { MemberBody } from '#projects/members/member-schemas.ts'
import { formOf } from '../layout/field.ts'
import { Form, readForm } from '../layout/form.ts'
import { html } from '../layout/html.ts'
import { day, lastDay } from '../layout/time.ts'
import { type Links, pageAt, pager } from '../list.ts'
import { copyBlock } from '../setup/copy-block.ts'
import { requirePerson } from '../sign-in/require-sign-in.ts'
import type { Answers } from './group-shares.ts'
import { roleAndExpiry, toAttributes } from './member-form.ts'
import type { MembersContext } from './members-context.ts'

const maxCounted = 1000

/** The address is a field: it would be logged as a part of the URL. */
const InvitationForm = Type.Object({ ...MemberBody.properties, email: Type.String() })

type Change = (context: MembersContext, body: Type.Static<typeof InvitationForm>, by: Actor) => Promise<unknown>

/** What those who manage members do with invitations. */
export function invitationActions(app: FastifyInstance, path: string, { find, done, refused }: Answers) {
  const action = (name: string, text: string, change: Change, allowsReadOnly?: true) =>
    app.post(`${path}/invitations/${name}`, { onRequest: requirePerson(app), config: { allowsReadOnly } }, async (request, reply) => {
      const context = await find(request)
      const form = readForm(request, InvitationForm)
      const saved = await form.save(body => change(context, body, request.actor))

      return saved ? done(reply, context, text) : refused(reply, context, form.problems)
    })

  action('change', 'Invitation changed.', ({ em, source }, { email, ...body }, by) =>
    updateInvitation(em, source, email, toAttributes(body), by)
  )
  action('resend', 'Invitation sent again.', ({ em, source }, { email }, by) => resendInvitation(em, source, email, by))
  action('withdrawal', 'Invitation withdrawn.', ({ em, source }, { email }, by) => withdrawInvitation(em, source, email, by), true)
}

/** Nothing when there are none. */
export async function invitationsSection(request: FastifyRequest, context: MembersContext, { number, url }: Links) {
  const list = listInvitations(context.em, context.source)
  const total = await list.count(maxCounted)

  if (total === 0) return undefined
  const { rows, ...around } = await pageAt(list, number)
  const links = await linksOf(request, context, rows)

  return html`
    <h2>Invitations <span class="hint">${total}</span></h2>
    <ul class="rows members">${rows.map(row => invitationRow(request, context, row, links.get(row.id)))}</ul>
    ${pager(around, url)}`
}

/**
 * Links to copy, where no mail server sends them. Elsewhere the link proves that its reader receives e-mail at the address, so that
 * nobody else may see it.
 */
async function linksOf(request: FastifyRequest, { em, source }: MembersContext, rows: InvitationRow[]) {
  const { config, mail } = request.server.platform
  const shown = mail.isConfigured ? [] : rows.filter(row => mayChange(source, row.access_level))
  const invitations = await em.find(Invitation, { id: { $in: shown.map(({ id }) => id) } })

  return new Map(await Promise.all(invitations.map(async one => [one.id, await invitationUrl(config, one)] as const)))
}

function invitationRow(request: FastifyRequest, context: MembersContext, row: InvitationRow, link: string | undefined) {
  const { invite_email: email, access_level: level, created_by_name: inviter, expires_at: until } = row

  return html`
    <li>
      <div>
        <p><strong>${email}</strong> <span class="badge">${roleName(level)}</span>${row.outcome === 'failed' && html` <span class="badge bad">mail failed</span>`}</p>
        <p class="hint">Invited ${day(new Date(row.created_at))}${inviter && html` by <bdi>${inviter}</bdi>`}, open until ${day(new Date(row.open_until))}${until && html` · member until ${lastDay(until)}`}</p>
        ${link && copyBlock({ id: `invitation-${row.id}`, name: 'Link to send yourself', text: link })}
      </div>
      ${
        mayChange(context.source, level) &&
        html`<details class="manage">
          <summary class="button plain small">Change<span class="visually-hidden">: ${email}</span></summary>
          ${invitationForms(request, context, row)}
        </details>`
      }
    </li>`
}

function invitationForms(request: FastifyRequest, { source, url }: MembersContext, { id, invite_email: email, ...row }: InvitationRow) {
  const address = html`<input type="hidden" name="email" value="${email}">`
  const action = (name: string) => `${url}/invitations/${name}`

  return html`
    ${formOf(request, { action: action('change'), class: 'filter' }, html`${address}${roleAndExpiry(source, new Form(MemberBody, row), `-invited-${id}`)}<button class="plain">Save</button>`)}
    ${formOf(request, { action: action('resend') }, html`${address}<button class="plain">Send again<span class="visually-hidden"> to ${email}</span></button>`)}
    ${formOf(request, { action: action('withdrawal') }, html`${address}<button class="plain">Withdraw the invitation of ${email}</button>`)}`
}
