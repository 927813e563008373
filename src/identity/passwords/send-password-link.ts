import type { Actor } from '#audit/record-audit-event.ts'
import { Rejected } from '#lib/refusals.ts'
import { addMail } from '#outbox/outbox-store.ts'
import type { EntityManager } from '#platform/database/database.ts'
import type { KeySource } from '#platform/database/encryption.ts'
import { recordUserEvent } from '../record-user-event.ts'
import { getAccount } from '../users/find-user.ts'
import { maySetPassword, type PasswordLinkKind, passwordLinkExpiry, passwordUrl } from './password-link.ts'

type LinkConfig = KeySource & { baseUrl: string; smtp: { url?: string | undefined } }

/** For an admin: mails a user the link that sets a password. Without a mail server, returns it, to be handed over. */
export async function sendPasswordLink(em: EntityManager, config: LinkConfig, actor: Actor, id: number, at: Date) {
  return em.transactional(async em => {
    const user = await getAccount(em, id)
    const kind: PasswordLinkKind = user.passwordHash ? 'reset' : 'welcome'
    const expiresAt = passwordLinkExpiry(kind, at)

    if (!maySetPassword(user)) throw new Rejected('Only active users can choose a password')
    recordUserEvent(em, actor, user, 'password_link_created', { mailed: Boolean(config.smtp.url) })
    if (!config.smtp.url) return passwordUrl(config, user, expiresAt)
    await addMail(em, {
      kind: `password.${kind}`,
      subjectId: user.id,
      actorId: actor.user?.id ?? null,
      data: { expiresAt: expiresAt.toISOString() }
    })

    return undefined
  })
}
