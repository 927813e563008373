import type { FastifyRequest } from 'fastify'
import type { MailServerInput } from '#instance-settings/change-mail-server.ts'
import { explainRefusal } from '#platform/mail/explain-refusal.ts'
import { readMailbox } from '#platform/mail/mailbox.ts'
import { type MailMessage, MailRefused, tryServer } from '#platform/mail/mailer.ts'
import { smtpUrl } from '#platform/mail/smtp-url.ts'

export interface MailTest {
  isAccepted: boolean
  /** In words, where the code of the refusal is known. */
  meaning?: string | undefined
  /** The answer of the server. */
  text: string
}

/** Sends a mail to the reader at once. */
export function testMailServer(request: FastifyRequest, at: Date) {
  const { mail } = request.server.platform

  return answerTo(() => mail.send(testMessage(request, at)))
}

/** As `testMailServer`, with a server that is not saved. */
export function testEnteredServer(request: FastifyRequest, { sender, ...server }: MailServerInput, at: Date) {
  const { baseUrl, smtp } = request.server.platform.config
  const from = smtp.isFromGiven ? smtp.from : readMailbox(sender)

  return answerTo(() => tryServer({ baseUrl, smtp: { url: smtpUrl(server), from, replyTo: smtp.replyTo } }, testMessage(request, at)))
}

async function answerTo(send: () => Promise<string>): Promise<MailTest> {
  try {
    return { isAccepted: true, text: await send() }
  } catch (error) {
    if (!(error instanceof MailRefused) && (error as { code?: string }).code !== 'ETIMEDOUT') throw error
    const refused = error as MailRefused

    return { isAccepted: false, meaning: explainRefusal(refused), text: refused.message }
  }
}

function testMessage({ user, server }: FastifyRequest, at: Date): MailMessage {
  const { baseUrl } = server.platform.config
  const url = encodeURI(baseUrl)

  return {
    to: { name: user.name, address: user.email },
    subject: 'Test e-mail',
    text: `${user.name} sent this test from ${baseUrl}. E-mail from this installation reaches you.`,
    html: `<p>Test e-mail from <a href="${url}">${url}</a>. E-mail from this installation reaches you.</p>`,
    id: `test-${user.id}-${at.getTime()}`
  }
}
