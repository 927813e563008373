import type { MailOutcome } from '../observability/worker-metrics.ts'

export interface Mailbox {
  name: string
  address: string
}

interface MailOptions {
  baseUrl: string
  smtp: { url?: string | undefined; from?: Mailbox | undefined; replyTo?: Mailbox | undefined }
}

export interface MailMessage {
  to: Mailbox
  subject: string
  text: string
  html: string
  /** Becomes the Message-ID; the same message sent twice has the same one. */
  id: string
  /** Messages with the same thread are shown as one conversation. */
  thread?: string
  /** The recipient unsubscribes with one POST to this URL (RFC 8058). */
  unsubscribeUrl?: string
}

export interface Mail {
  /** Returns the answer of the server. */
  send: (message: MailMessage) => Promise<string>
  close: () => void
}

/** The SMTP server refused a message, or could not be reached. Its own class, so that a socket error is not taken for a lost database. */
export class MailRefused extends Error {
  override name = 'MailRefused'
  /** Whether this message was refused for good, and others may succeed. A code below 500 is temporary, such as greylisting (RFC 5321 §4.2.1). */
  isPermanent: boolean

  constructor({ message, responseCode, code }: Error & { responseCode?: number; code?: string }) {
    super(message)
    this.isPermanent = responseCode !== undefined && responseCode >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE')
  }
}

/** Counts what becomes of mail. */
export function countMail({ send, close }: Mail, count: (outcome: MailOutcome) => void): Mail {
  return {
    close,
    async send(message) {
      try {
        const answer = await send(message)

        count('sent')

        return answer
      } catch (error) {
        count(error instanceof MailRefused && error.isPermanent ? 'refused' : 'failed')
        throw error
      }
    }
  }
}

export async function openMail({ smtp, baseUrl }: MailOptions): Promise<Mail | undefined> {
  if (!smtp.url) return undefined
  const { createTransport } = await import('nodemailer')
  const host = new URL(baseUrl).hostname
  const from = smtp.from ?? { name: 'Tocsin', address: `tocsin@${host}` }
  const idOf = (id: string) => `<${id}@${host}>`
  const transport = createTransport(
    {
      pool: true,
      url: smtp.url,
      maxConnections: 2,
      maxRequeues: 0,
      idleTimeout: 30_000,
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout: 30_000,
      disableFileAccess: true,
      disableUrlAccess: true
    },
    { from, ...(smtp.replyTo && { replyTo: smtp.replyTo }), headers: { 'Auto-Submitted': 'auto-generated' } }
  )

  return {
    async send({ id, thread, unsubscribeUrl, subject, ...message }) {
      // Clients join messages by what they refer to, even if they never received it.
      const references = thread && { inReplyTo: idOf(thread), references: [idOf(thread)] }
      const list = unsubscribeUrl && {
        headers: { 'List-Unsubscribe': `<${unsubscribeUrl}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
      }

      try {
        const { response } = await transport.sendMail({
          ...message,
          ...references,
          ...list,
          messageId: idOf(id),
          subject: subject.replaceAll(/\s+/g, ' ')
        })

        return response
      } catch (error) {
        throw new MailRefused(error as Error)
      }
    },
    close: () => transport.close()
  }
}
