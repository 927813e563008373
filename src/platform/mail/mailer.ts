import type { Config } from '../../config.ts'

export interface Letter {
  to: { name: string; address: string }
  subject: string
  text: string
  html: string
  /** The same letter again has the same one, so that mail programs can tell. */
  id: string
  /** Of the letter that this one goes on from. */
  after?: string
}

export interface Mail {
  send: (letter: Letter) => Promise<void>
  close: () => void
}

/** The server did not take a letter. Not to be mistaken for a database that is away, whatever the socket said. */
export class MailRefused extends Error {
  override name = 'MailRefused'
  /** Whether it was this letter that it refused; otherwise no letter would do. */
  isOnlyThis: boolean

  constructor({ message, responseCode, code }: Error & { responseCode?: number; code?: string }) {
    super(message)
    this.isOnlyThis = responseCode !== undefined && (code === 'EENVELOPE' || code === 'EMESSAGE')
  }
}

/** The way out for e-mail, when there is one. */
export async function openMail({ smtp, baseUrl }: Config): Promise<Mail | undefined> {
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
    { from, headers: { 'Auto-Submitted': 'auto-generated' } }
  )

  return {
    async send({ id, after, subject, ...letter }) {
      const thread = after && { inReplyTo: idOf(after), references: [idOf(after)] }

      try {
        await transport.sendMail({ ...letter, ...thread, messageId: idOf(id), subject: subject.replaceAll(/\s+/g, ' ') })
      } catch (error) {
        throw new MailRefused(error as Error)
      }
    },
    close: () => transport.close()
  }
}
