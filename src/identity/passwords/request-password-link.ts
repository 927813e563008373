import { createHash } from 'node:crypto'
import { type Actor, recordAuditEvent } from '#audit/record-audit-event.ts'
import { addMail } from '#outbox/outbox-store.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { recordUserEvent } from '../record-user-event.ts'
import { findByLogin } from '../users/find-user.ts'
import { maySetPassword, passwordLinkExpiry } from './password-link.ts'

const periodMs = 10 * 60_000

/**
 * Mails the link that sets a password, at most once within a period. For a login without such a user, it takes the same statements,
 * and the mail is discarded: response times do not tell them apart.
 */
export async function requestPasswordLink(em: EntityManager, login: string, { ip }: Actor, at: Date) {
  await em.transactional(async em => {
    const found = await findByLogin(em, login)
    const user = found && maySetPassword(found) ? found : undefined
    const key = `password-${user?.id ?? `of nobody ${digestOf(login)}`}-${Math.floor(at.getTime() / periodMs)}`

    await addMail(em, {
      kind: 'password.reset',
      subjectId: user?.id ?? 0,
      data: { expiresAt: passwordLinkExpiry('reset', at).toISOString() },
      key
    })
    if (user) recordUserEvent(em, { ip }, user, event)
    else recordAuditEvent(em, { ip }, { name: event, entity: { type: 'Instance', id: 0, path: 'unknown user' } })
  })
}

const event = 'password_reset_requested'

function digestOf(login: string) {
  return createHash('sha256').update(login.trim().toLowerCase()).digest('hex').slice(0, 32)
}
