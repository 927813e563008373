import type { Config } from '#config.ts'
import { discardMails, endMail, findOpenMail } from '#outbox/outbox-store.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { type Mail, MailRefused } from '#platform/mail/mailer.ts'
import type { ItemOf } from '#platform/queue/job.ts'
import type { sendLetter } from './jobs.ts'
import { writeLetter } from './write-letter.ts'

interface Deps {
  config: Config
  mail: Mail
}

/** What waited longer for a mail server is no longer news. */
const maxWaitMs = 3 * 86_400_000

/**
 * The row says whether the mail is still to be sent, so that a job that runs again does nothing. A process that dies after the
 * server accepted sends the mail again, with the same id.
 */
export async function mailLetter(em: EntityManager, { mailId }: ItemOf<typeof sendLetter>, { config, mail }: Deps, at: Date) {
  const open = mail.isConfigured && (await findOpenMail(em, mailId))

  // Without a mail server it waits.
  if (!open) return
  const letter = at.getTime() - open.createdAt.getTime() < maxWaitMs && (await writeLetter(em, open, config, at))

  await endMail(em, mailId, letter ? await send(mail, letter) : 'discarded', at)
}

/** While there is no mail server. */
export function discardOldLetters(em: EntityManager, at: Date) {
  return discardMails(em, new Date(at.getTime() - maxWaitMs), at)
}

/** After the last attempt. */
export function giveUpLetter(em: EntityManager, { mailId }: ItemOf<typeof sendLetter>, at: Date) {
  return endMail(em, mailId, 'failed', at)
}

/** Throws when another attempt may succeed. */
async function send(mail: Mail, letter: Parameters<Mail['send']>[0]) {
  try {
    await mail.send(letter)

    return 'sent'
  } catch (error) {
    if (!(error instanceof MailRefused && error.isPermanent)) throw error

    return 'failed'
  }
}
