import { createHash } from 'node:crypto'
import type { Logger } from 'pino'
import Type from 'typebox'
import { defineJob } from '#platform/queue/job.ts'
import type { Queues } from '#platform/queue/queues.ts'

/** Sends the link that confirms an address: at most once within a period, however often it is asked for. */
export const sendConfirmation = defineJob({
  name: 'mail.confirmation',
  queue: 'mail',
  item: Type.Object({ userId: Type.Integer(), email: Type.String(), period: Type.Integer() }),
  key: ({ userId, email, period }) => `${userId}-${createHash('sha256').update(email.toLowerCase()).digest('hex').slice(0, 32)}-${period}`,
  attempts: 12
})

const periodMs = 10 * 60_000

interface MailDeps {
  config: { smtp: { url?: string | undefined } }
  queues: Queues
  log: Logger
}

/** A user has confirmed an address, so invitations to it are accepted. Without a user, those of all are looked for. */
export const useConfirmedEmail = defineJob({
  name: 'mail.confirmed',
  queue: 'mail',
  item: Type.Object({ userId: Type.Optional(Type.Integer()) })
})

/** Without a mail server, nothing is sent. If this fails, the user can ask for the link again. */
export async function requestConfirmation(
  { config, queues, log }: MailDeps,
  { userId, email, confirmedAt }: { userId: number; email: string; confirmedAt?: Date | null },
  at: Date
) {
  if (confirmedAt) return enqueueConfirmed({ queues, log }, userId)
  if (!config.smtp.url) return
  await queues
    .enqueue(sendConfirmation, { userId, email, period: Math.floor(at.getTime() / periodMs) })
    .catch(error => log.warn({ err: error }, 'failed to enqueue the confirmation of an address'))
}

/** If this fails, a schedule finds the address. */
export async function enqueueConfirmed({ queues, log }: Omit<MailDeps, 'config'>, userId: number) {
  await queues
    .enqueue(useConfirmedEmail, { userId })
    .catch(error => log.warn({ err: error }, 'failed to enqueue that an address is confirmed'))
}
