import type { FastifyRequest } from 'fastify'
import type { EmailSettings } from '#notifications/channels/email-channel.ts'
import { listMembers } from '#notifications/recipients/list-members.ts'
import { checkbox, field, textArea } from '../layout/field.ts'
import { chosenOf, linesOf, textOf } from '../layout/forms.ts'
import { html } from '../layout/html.ts'
import type { PageContext, Problems } from '../projects/page-context.ts'

type Role = EmailSettings['roles'][number]

/** The recipients of an e-mail channel, as users enter them. */
export interface EmailForm {
  roles: Role[]
  assignees: boolean
  usernames: string
  addresses: string[]
}

export const roleTexts: Record<Role, string> = {
  owner: 'Owners',
  maintainer: 'Maintainers',
  developer: 'Developers',
  reporter: 'Reporters'
}
const roles = Object.keys(roleTexts) as Role[]

export const noRecipients: EmailForm = { roles: [], assignees: false, usernames: '', addresses: [] }

export async function emailFormOf(context: PageContext, settings: EmailSettings): Promise<EmailForm> {
  const names = await usernamesOf(context, settings.user_ids)

  return { ...settings, usernames: [...names.values()].join(', ') }
}

/** The usernames of the members with these ids. */
export async function usernamesOf({ em, project }: PageContext, ids: number[]) {
  const members = ids.length > 0 ? await listMembers(em, project.id) : []

  return new Map(members.filter(({ id }) => ids.includes(id)).map(({ id, username }) => [id, username]))
}

export function readEmailForm(request: FastifyRequest): EmailForm {
  const chosen = chosenOf(request, 'roles')

  return {
    roles: roles.filter(role => chosen.includes(role)),
    assignees: textOf(request, 'assignees') !== '',
    usernames: textOf(request, 'usernames').trim(),
    addresses: linesOf(request, 'addresses')
  }
}

export function hasRecipients({ roles, assignees, usernames, addresses }: EmailForm) {
  return roles.length > 0 || assignees || usernames !== '' || addresses.length > 0
}

/** The settings of the channel, or what is wrong with the form. */
export async function toEmailSettings(
  { em, project }: PageContext,
  { usernames, ...form }: EmailForm
): Promise<{ settings: EmailSettings; problems?: undefined } | { settings?: undefined; problems: Problems }> {
  if (!hasRecipients({ usernames, ...form })) return { problems: { base: 'Choose roles or assignees, or enter members or addresses.' } }
  const names = usernames.split(/[\s,]+/).flatMap(name => name.replace(/^@/, '').toLowerCase() || [])
  const members = names.length > 0 ? await listMembers(em, project.id) : []
  const byName = new Map(members.map(({ id, username }) => [username.toLowerCase(), id]))
  const unknown = names.filter(name => !byName.has(name))

  if (unknown.length > 0) return { problems: { usernames: `No member with a confirmed address is called ${unknown.join(', ')}.` } }

  return { settings: { ...form, user_ids: [...new Set(names.map(name => byName.get(name)!))] } }
}

export function emailFields({ roles: chosen, assignees, usernames, addresses }: EmailForm, problems: Problems) {
  return html`
    <fieldset>
      <legend>Members with one of these roles</legend>
      <div class="choice-row">${roles.map(role => checkbox({ name: 'roles', value: role, label: roleTexts[role], isChecked: chosen.includes(role) }))}</div>
    </fieldset>
    ${checkbox({ name: 'assignees', value: 'true', label: 'Assignees', hint: 'Of the error, alert or incident.', isChecked: assignees })}
    ${field({
      name: 'usernames',
      label: 'Members by name (optional)',
      value: usernames,
      hint: 'Usernames, separated by commas.',
      error: problems.usernames ?? problems.user_ids,
      attributes: { spellcheck: 'false', autocapitalize: 'none' }
    })}
    ${textArea({
      name: 'addresses',
      label: 'Other addresses (optional)',
      value: addresses.join('\n'),
      hint: 'One on each line, such as a mailing list.',
      error: problems.addresses,
      attributes: { spellcheck: 'false', autocapitalize: 'none' }
    })}`
}

/** Such as `maintainers, assignees, @ann and ops@example.com`. */
export function describeRecipients({ roles: chosen, assignees, user_ids: ids, addresses }: EmailSettings, usernames: Map<number, string>) {
  return [
    ...roles.filter(role => chosen.includes(role)).map(role => roleTexts[role].toLowerCase()),
    ...(assignees ? ['assignees'] : []),
    ...ids.flatMap(id => (usernames.has(id) ? `@${usernames.get(id)}` : [])),
    ...addresses
  ]
}
