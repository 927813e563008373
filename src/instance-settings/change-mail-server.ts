import Type, { type Static } from 'typebox'
import { type Actor, instance, recordAuditEvent } from '#audit/record-audit-event.ts'
import { Rejected, ValidationFailed } from '#lib/refusals.ts'
import { invalidateCache } from '#platform/cache/invalidate-cache.ts'
import type { EntityManager } from '#platform/database/database.ts'
import type { KeySource } from '#platform/database/encryption.ts'
import { readMailbox } from '#platform/mail/mailbox.ts'
import { mailSecurities } from '#platform/mail/smtp-url.ts'
import { decryptMailPassword, encryptMailPassword, MailServer } from './mail-server.ts'
import { storedConfigName } from './stored-config.ts'

export const MailServerBody = Type.Object({
  host: Type.String({ minLength: 1, maxLength: 253 }),
  port: Type.Integer({ minimum: 1, maximum: 65_535 }),
  security: Type.Enum([...mailSecurities]),
  username: Type.String({ maxLength: 255 }),
  password: Type.String({ maxLength: 1000 }),
  sender: Type.String({ maxLength: 255 })
})

export type MailServerInput = Static<typeof MailServerBody>

type Config = KeySource & { namespace: string; smtp: { isGiven: boolean } }

export async function findMailServer(em: EntityManager) {
  return em.findOne(MailServer, { id: 1 })
}

/** In every process at once. The password must be known (`completePassword`). */
export async function changeMailServer(em: EntityManager, config: Config, { password, ...input }: MailServerInput, by: Actor) {
  refuseGiven(config)
  checkMailServer(input)
  const sealed = password === '' ? null : await encryptMailPassword(config, password)

  await em.transactional(async em => {
    await em.upsert(MailServer, { id: 1, ...input, password: sealed, updatedAt: new Date() })
    recordAuditEvent(em, by, { name: 'mail_server_updated', entity: instance, details: input })
    await invalidateCache(em, config, storedConfigName)
  })
}

export async function removeMailServer(em: EntityManager, config: Config, by: Actor) {
  refuseGiven(config)
  await em.transactional(async em => {
    await em.nativeDelete(MailServer, { id: 1 })
    recordAuditEvent(em, by, { name: 'mail_server_removed', entity: instance })
    await invalidateCache(em, config, storedConfigName)
  })
}

/** Names everything that is wrong. */
export function checkMailServer({ host, sender }: Pick<MailServerInput, 'host' | 'sender'>) {
  const reasons = {
    ...(!isHost(host) && { host: ['enter a host name such as mail.example.com, or an IP address'] }),
    ...(sender && !readMailbox(sender) && { sender: ['enter an address such as tocsin@example.com, or Tocsin <tocsin@example.com>'] })
  }

  if (Object.keys(reasons).length > 0) throw new ValidationFailed(reasons)
}

/**
 * An empty password stands for the stored one, which goes to no other server and no other user: it could be read there. Throws when
 * the user needs one.
 */
export async function completePassword(em: EntityManager, config: KeySource, input: MailServerInput): Promise<MailServerInput> {
  if (input.username === '' || input.password !== '') return { ...input, password: input.username && input.password }
  const stored = await findMailServer(em)
  const isSame = stored?.password && stored.host === input.host && stored.username === input.username
  const password = isSame && (await decryptMailPassword(config, stored.password!))

  if (!password) throw new ValidationFailed({ password: ['enter the password of this user'] })

  return { ...input, password }
}

function refuseGiven({ smtp }: Config) {
  if (smtp.isGiven) throw new Rejected('SMTP_URL sets the mail server')
}

function isHost(text: string) {
  return /^[a-z\d_.-]+$|^\[[a-f\d:.]+\]$/i.test(text) && URL.canParse(`smtp://${text}`)
}
