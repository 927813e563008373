import { type Actor, instance, recordAuditEvent } from '#audit/record-audit-event.ts'
import type { User } from '#identity/users/user.ts'
import { NotFound, Unprocessable } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { type SpamServiceConfig, submitHam } from './akismet.ts'
import { SpamLog } from './spam-log.ts'

type Config = { baseUrl: string; spam: SpamServiceConfig }

/** Tells the spam service that a text is no spam. The author may write it again. */
export async function markAsHam(em: EntityManager, config: Config, id: number, by: Actor, at: Date) {
  const log = await getSpamLog(em, id)

  if (log.markedAsHamAt) return
  const { kind, title, text, ipAddress: ip, userAgent } = log
  const failure = await submitHam(config, { kind, title, text, ip, userAgent, user: log.user as User })

  if (failure) throw new Unprocessable(`the spam service failed: ${failure}`)
  await em.transactional(async em => {
    log.markedAsHamAt = at
    recordChange(em, by, log, 'spam_log_marked_as_ham')
  })
}

export async function deleteSpamLog(em: EntityManager, id: number, by: Actor) {
  await em.transactional(async em => {
    const log = await getSpamLog(em, id)

    em.remove(log)
    recordChange(em, by, log, 'spam_log_deleted')
  })
}

export async function getSpamLog(em: EntityManager, id: number) {
  const log = await em.findOne(SpamLog, { id }, { populate: ['user'] })

  if (!log) throw new NotFound('Spam Log')

  return log
}

function recordChange(em: EntityManager, by: Actor, { id, user, kind }: SpamLog, name: string) {
  recordAuditEvent(em, by, { name, entity: instance, target: { type: 'SpamLog', id, details: (user as User).username }, details: { kind } })
}
