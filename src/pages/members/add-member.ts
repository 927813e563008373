import type { FastifyRequest } from 'fastify'
import type Type from 'typebox'
import { listUsers, selectUsers } from '#identity/users/list-users.ts'
import { isEmail } from '#identity/users/user-attributes.ts'
import type { Viewer } from '#identity/viewer.ts'
import { ValidationFailed } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { inviteAddress } from '#projects/invitations/invite.ts'
import { addMembers } from '#projects/members/add-members.ts'
import type { MemberSource } from '#projects/members/member-source.ts'
import type { Form } from '../layout/form.ts'
import { attributes, html } from '../layout/html.ts'
import { type MemberForm, roleAndExpiry, toAttributes } from './member-form.ts'
import type { MembersContext } from './members-context.ts'

/**
 * Adds the person who is named exactly, or was chosen with a button, or invites an address that no user has. Returns what is done;
 * undefined if the user has to choose first.
 */
export async function addPerson(request: FastifyRequest, { em, source }: MembersContext, body: Type.Static<typeof MemberForm>) {
  const { who = '', user_id: chosen } = body
  const given = toAttributes(body)

  if (who === '' && !chosen) throw new ValidationFailed({ who: ['enter a name, a username or an e-mail address'] })
  const id = chosen ?? (await findPerson(em, request.user, who))?.id

  if (id === undefined) return isEmail(who) ? inviteByMail(request, source, who, given) : undefined
  const { added } = await addMembers(em, source, { ids: [id] }, given, request.actor)

  return added && `${added.name} is now a member.`
}

async function inviteByMail(request: FastifyRequest, source: MemberSource, email: string, given: ReturnType<typeof toAttributes>) {
  const { config } = request.server.platform
  const added = await inviteAddress(request.em, source, email, given, request.actor)

  if (added) return `${added.name} is now a member.`

  return config.smtp.url
    ? `${email} is invited by e-mail.`
    : `${email} is invited, but no mail server is configured: send them the link below.`
}

/** The form, with those who match what was searched. */
export async function addForm(request: FastifyRequest, { em, source, url }: MembersContext, form: Form<typeof MemberForm>) {
  const who = form.text('who')
  const refusal = form.error('who', { reasons: ['Invite email'] })
  const people = who === '' || refusal ? [] : await findPeople(em, request.user, who)
  const isUnknown = who !== '' && !refusal && !isEmail(who) && people.length === 0

  return form.render(
    request,
    { action: url },
    html`
    <div class="filter">
      ${form.field('who', {
        label: 'Name, username or e-mail',
        error: isUnknown ? `No user was found for “${who}”.` : refusal,
        isRequired: true,
        autocomplete: 'off',
        attributes: { spellcheck: 'false', autocapitalize: 'none' }
      })}
      ${roleAndExpiry(source, form)}
      <button>Add member</button>
    </div>
    ${people.length === 0 && html`<p class="hint">An e-mail address without an account receives an invitation.</p>`}
    ${
      people.length > 0 &&
      html`
      <p role="status">Choose one:</p>
      <ul class="rows">${people.map(
        ({ id, name, username }) =>
          html`<li><div><p><strong>${name}</strong> <span class="hint">@${username}</span></p></div><button${attributes({ class: 'plain', name: 'user_id', value: id, formnovalidate: true, 'aria-label': `Add @${username}` })}>Add</button></li>`
      )}</ul>`
    }`
  )
}

const maxPeople = 10

/** The people that the viewer finds by a part of the name or username, or by the e-mail address, as with `GET /users`. */
function findPeople(em: EntityManager, viewer: Viewer, text: string) {
  return listUsers(em, selectUsers(em, viewer, { search: withoutAt(text), humans: true })).list(maxPeople)
}

/** The user whom the text names exactly: a part of a name must not give access to another user. */
async function findPerson(em: EntityManager, viewer: Viewer, text: string) {
  const [named] = await listUsers(em, selectUsers(em, viewer, { username: withoutAt(text), humans: true })).list(1)

  if (named) return named
  const [first, second] = isEmail(text) ? await findPeople(em, viewer, text) : []

  return second ? undefined : first
}

function withoutAt(text: string) {
  return text.replace(/^@/, '')
}
