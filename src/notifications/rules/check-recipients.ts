import type { EntityManager } from '#platform/database/database.ts'
import { Role } from '#projects/members/member.ts'
import type { EmailSettings } from '../channels/email-channel.ts'
import { listMembers } from '../recipients/recipient-store.ts'

/** What rules report, by the beginning of their triggers, and the role that sees it. */
const minRoles: Record<string, number> = {
  alert: Role.developer,
  error: Role.developer,
  feedback: Role.developer,
  incident: Role.reporter,
  release: Role.developer
}

/** The recipients of an e-mail channel who may not see what a rule reports, and would never get it, by setting. */
export async function findBlindRecipients(em: EntityManager, projectId: number, { user_ids, roles }: EmailSettings, triggers: string[]) {
  const kinds = [...new Set(triggers.map(trigger => trigger.split('.', 1)[0]!))]
  const members = user_ids.length > 0 ? await listMembers(em, projectId, user_ids) : []
  // A role gets what it may see; a user is named for everything.
  const blindRoles = roles.filter(name => kinds.length > 0 && kinds.every(kind => Role[name] < minRoles[kind]!))
  const blindUsers = members.filter(({ role }) => kinds.some(kind => role < minRoles[kind]!))

  return {
    ...(blindUsers.length > 0 && {
      user_ids: [
        explain(
          blindUsers.map(({ username }) => `@${username}`),
          kinds
        )
      ]
    }),
    ...(blindRoles.length > 0 && { roles: [explain(blindRoles, kinds)] })
  }
}

function explain(names: string[], kinds: string[]) {
  const hidden = kinds.filter(kind => minRoles[kind] === Role.developer).map(kind => (kind === 'feedback' ? kind : `${kind}s`))

  return `${names.join(', ')} may not see ${hidden.join(' and ')}: this requires the Developer role`
}
