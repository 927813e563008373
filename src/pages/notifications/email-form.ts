import Type from 'typebox'
import { EmailSettings } from '#notifications/channels/email-channel.ts'
import { listMembers } from '#notifications/recipients/recipient-store.ts'
import type { Form, SentForm } from '../layout/form.ts'
import { html } from '../layout/html.ts'
import type { PageContext } from '../projects/page-context.ts'

type Role = EmailSettings['roles'][number]
const { roles, assignees, addresses } = EmailSettings.properties

/** The recipients of an e-mail channel, as users enter them. */
export const EmailFields = Type.Object({ roles, assignees, usernames: Type.String(), addresses })
export type EmailForm = Form<typeof EmailFields>

export const roleTexts: Record<Role, string> = {
  owner: 'Owners',
  maintainer: 'Maintainers',
  developer: 'Developers',
  reporter: 'Reporters'
}
/** The usernames of the members with these ids. */
export async function usernamesOf({ em, project }: PageContext, ids: number[]) {
  const members = ids.length > 0 ? await listMembers(em, project.id) : []

  return new Map(members.filter(({ id }) => ids.includes(id)).map(({ id, username }) => [id, username]))
}

export function hasRecipients(form: EmailForm) {
  return form.isChecked('assignees') || (['roles', 'usernames', 'addresses'] as const).some(name => form.text(name) !== '')
}

/** The settings of the channel. Adds to the form what is wrong with it. */
export async function readRecipients({ em, project }: PageContext, form: SentForm<typeof EmailFields>): Promise<EmailSettings> {
  const { roles, assignees, usernames, addresses } = form.body
  const names = usernames.split(/[\s,]+/).flatMap(name => name.replace(/^@/, '').toLowerCase() || [])
  const members = names.length > 0 ? await listMembers(em, project.id) : []
  const byName = new Map(members.map(({ id, username }) => [username.toLowerCase(), id]))
  const unknown = names.filter(name => !byName.has(name))

  if (!hasRecipients(form)) form.problems.base = 'Choose roles or assignees, or enter members or addresses.'
  if (unknown.length > 0) form.problems.usernames = `No member with a confirmed address is called ${unknown.join(', ')}.`

  return { roles, assignees, addresses, user_ids: [...new Set(names.flatMap(name => byName.get(name) ?? []))] }
}

export function emailFields(form: EmailForm) {
  const attributes = { spellcheck: 'false', autocapitalize: 'none' }

  return html`
    <fieldset>
      <legend>Members with one of these roles</legend>
      <div class="choice-row">${Object.entries(roleTexts).map(([role, label]) => form.choice('roles', role, { label }))}</div>
    </fieldset>
    ${form.checkbox('assignees', { label: 'Assignees', hint: 'The assignees of the error, alert or incident.' })}
    ${form.field('usernames', { label: 'Members by name (optional)', hint: 'Usernames, separated by commas.', reasons: ['user_ids'], attributes })}
    ${form.textArea('addresses', { label: 'Other addresses (optional)', hint: 'One per line, such as a mailing list.', attributes })}`
}

/** Such as `maintainers, assignees, @ann and ops@example.com`. */
export function describeRecipients({ roles: chosen, assignees, user_ids: ids, addresses }: EmailSettings, usernames: Map<number, string>) {
  return [
    ...(Object.keys(roleTexts) as Role[]).filter(role => chosen.includes(role)).map(role => roleTexts[role].toLowerCase()),
    ...(assignees ? ['assignees'] : []),
    ...ids.flatMap(id => (usernames.has(id) ? `@${usernames.get(id)}` : [])),
    ...addresses
  ]
}
