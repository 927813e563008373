import { type Mail, MailRefused } from '#platform/mail/mailer.ts'

interface Deps {
  config: { baseUrl: string }
  mail?: Mail
}

/** Sends a mail to the user at once, and returns the answer of the server. */
export async function sendTestMail(user: { id: number; name: string; email: string }, { config, mail }: Deps, at: Date) {
  if (!mail) return { isAccepted: false, text: 'No mail server is configured (SMTP_URL).' }
  const text = `${user.name} sent this test from ${config.baseUrl}. E-mail from this installation reaches you.`

  try {
    const response = await mail.send({
      to: { name: user.name, address: user.email },
      subject: 'Test e-mail',
      text,
      html: `<p>Test e-mail from <a href="${encodeURI(config.baseUrl)}">${encodeURI(config.baseUrl)}</a>. E-mail from this installation reaches you.</p>`,
      id: `test-${user.id}-${at.getTime()}`
    })

    return { isAccepted: true, text: response }
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error

    return { isAccepted: false, text: error.message }
  }
}
