import type { FastifyInstance, FastifyReply } from 'fastify'
import { clearSignedCookie, readSignedCookie, setSignedCookie } from '#api/guards/signed-cookie.ts'
import { redirect } from '#api/redirect.ts'
import { deliveryStatuses } from '#notifications/deliveries/delivery.ts'
import { countMail, listDeliveries } from '#notifications/deliveries/list-deliveries.ts'
import { type Mail, MailRefused } from '#platform/mail/mailer.ts'
import { requirePerson } from '../sign-in/require-sign-in.ts'
import { adminPage } from './admin-page.ts'
import { mailView } from './mail-view.ts'

const path = '/admin/mail'
const cookie = '_test_mail'
const maxMails = 50

/** How mail is sent, what became of it in the last 30 days, and a test. */
export async function mailPage(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app, app.requireAdmin) }
  const { config, mail } = app.platform

  app.get<{ Querystring: { status?: string } }>(path, guard, async (request, reply) => {
    const status = deliveryStatuses.find(one => one === request.query.status)

    return adminPage(
      reply,
      { title: 'Mail', tab: path },
      mailView(request, config, {
        status,
        counts: await countMail(request.em),
        mails: await listDeliveries(request.em, { isMail: true, status }, config.baseUrl).list(maxMails),
        answer: takeAnswer(reply)
      })
    )
  })

  app.post(`${path}/test`, guard, async (request, reply) => {
    const answer = await sendTestMail(request.user, { config, mail }, new Date())

    setSignedCookie(reply, cookie, JSON.stringify(answer), 60)

    return redirect(reply, path)
  })
}

function takeAnswer(reply: FastifyReply) {
  const text = readSignedCookie(reply, cookie)

  clearSignedCookie(reply, cookie)

  return text ? (JSON.parse(text) as Awaited<ReturnType<typeof sendTestMail>>) : undefined
}

interface Deps {
  config: { baseUrl: string }
  mail?: Mail
}

/** Sends a mail to the user at once, and returns the answer of the server. */
async function sendTestMail(user: { id: number; name: string; email: string }, { config, mail }: Deps, at: Date) {
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
