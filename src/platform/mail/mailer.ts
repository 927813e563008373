import type { MailOutcome } from '../observability/worker-metrics.ts'
import { withTimeLimit } from '../time-limit.ts'
import type { Mailbox } from './mailbox.ts'

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
  /** Without a mail server, nothing can be sent. */
  readonly isConfigured: boolean
  /** Returns the answer of the server. */
  send: (message: MailMessage) => Promise<string>
  close: () => void
}

/** The SMTP server refused a message, or could not be reached. Its own class, so that a socket error is not taken for a lost database. */
export class MailRefused extends Error {
  override name = 'MailRefused'
  /** Whether this message was refused for good, and others may succeed. A code below 500 is temporary, such as greylisting (RFC 5321 §4.2.1). */
  isPermanent: boolean
  /** The code of nodemailer or of the socket, such as `EAUTH`. */
  code: string | undefined

  constructor({ message, responseCode, code }: Error & { responseCode?: number; code?: string }) {
    super(message)
    this.code = code
    this.isPermanent = responseCode !== undefined && responseCode >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE')
  }
}

/** Counts what becomes of mail. */
export function countMail(mail: Mail, count: (outcome: MailOutcome) => void): Mail {
  return {
    get isConfigured() {
      return mail.isConfigured
    },
    close: () => mail.close(),
    async send(message) {
      try {
        const answer = await mail.send(message)

        count('sent')

        return answer
      } catch (error) {
        count(error instanceof MailRefused && error.isPermanent ? 'refused' : 'failed')
        throw error
      }
    }
  }
}

/** The mail server of the configuration, which may change, come and go. */
export function openMail(config: MailOptions): Mail {
  let open: { key: string; transport: Promise<Transport> } | undefined
  const close = () => void open?.transport.then(transport => transport.close()).catch(() => {})
  const transport = (url: string) => {
    const key = JSON.stringify([url, config.smtp.from, config.smtp.replyTo, config.baseUrl])

    if (open?.key !== key) {
      close()
      open = { key, transport: openTransport(url, config, { pool: true, maxConnections: 2, maxRequeues: 0, idleTimeout: 30_000 }) }
    }

    return open.transport
  }

  return {
    get isConfigured() {
      return config.smtp.url !== undefined
    },
    async send(message) {
      if (config.smtp.url === undefined) throw new MailRefused(new Error('No mail server is configured.'))

      return send(await transport(config.smtp.url), message, config)
    },
    close
  }
}

type OneServer = MailOptions & { smtp: { url: string } }

/** Sends a message to a server that is not used yet. Ends after ten seconds. */
export function tryServer(options: OneServer, message: MailMessage) {
  return onServer(options, transport => send(transport, message, options))
}

/** Connects and signs in, and sends nothing. Ends after ten seconds. */
export function verifyServer(options: OneServer) {
  return onServer(options, transport => transport.verify())
}

async function onServer<T>(options: OneServer, use: (transport: Transport) => Promise<T>) {
  const transport = await openTransport(options.smtp.url, options, { connectionTimeout: 5000, greetingTimeout: 5000, socketTimeout: 8000 })

  try {
    return await withTimeLimit(10_000, use(transport))
  } finally {
    transport.close()
  }
}

interface Transport {
  sendMail: (message: object) => Promise<{ response: string }>
  verify: () => Promise<unknown>
  close: () => void
}

/** nodemailer is loaded once there is something to send. */
async function openTransport(url: string, { smtp: { from, replyTo }, baseUrl }: MailOptions, options: object): Promise<Transport> {
  const { createTransport } = await import('nodemailer')
  const sender = from ?? { name: 'Tocsin', address: `tocsin@${new URL(baseUrl).hostname}` }

  return createTransport(
    {
      url,
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout: 30_000,
      disableFileAccess: true,
      disableUrlAccess: true,
      ...options
    },
    { from: sender, ...(replyTo && { replyTo }), headers: { 'Auto-Submitted': 'auto-generated' } }
  )
}

async function send(transport: Transport, { id, thread, unsubscribeUrl, subject, ...message }: MailMessage, { baseUrl }: MailOptions) {
  const host = new URL(baseUrl).hostname
  const idOf = (id: string) => `<${id}@${host}>`
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
}
