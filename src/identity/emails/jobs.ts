import { createHash } from 'node:crypto'
import type { Logger } from 'pino'
import Type from 'typebox'
import { addMail } from '#outbox/outbox-store.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { defineJob } from '#platform/queue/job.ts'
import type { Queues } from '#platform/queue/queues.ts'

const periodMs = 10 * 60_000

/** A user has confirmed an address, so invitations to it are accepted. Without a user, those of all are looked for. */
export const useConfirmedEmail = defineJob({
  name: 'mail.confirmed',
  queue: 'mail',
  item: Type.Object({ userId: Type.Optional(Type.Integer()) })
})

interface MailDeps {
  config: { smtp: { url?: string | undefined } }
  fork: () => EntityManager
  queues: Queues
  log: Logger
}

/** Mails the link that confirms an address: at most once within a period, however often it is asked for, and only with a mail server. */
export async function requestConfirmation(
  { config, fork, queues, log }: MailDeps,
  { userId, email, confirmedAt }: { userId: number; email: string; confirmedAt?: Date | null },
  at: Date
) {
  if (confirmedAt) return enqueueConfirmed({ queues, log }, userId)
  if (!config.smtp.url) return
  const digest = createHash('sha256').update(email.toLowerCase()).digest('hex').slice(0, 32)
  const key = `confirmation-${userId}-${digest}-${Math.floor(at.getTime() / periodMs)}`

  await addMail(fork(), { kind: 'confirmation', subjectId: userId, data: { email }, key })
}

/** If this fails, a schedule finds the address. */
export async function enqueueConfirmed({ queues, log }: Pick<MailDeps, 'queues' | 'log'>, userId: number) {
  await queues
    .enqueue(useConfirmedEmail, { userId })
    .catch(error => log.warn({ err: error }, 'failed to enqueue that an address is confirmed'))
}
