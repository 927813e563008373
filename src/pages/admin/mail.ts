import type { FastifyInstance, FastifyReply } from 'fastify'
import { clearSignedCookie, readSignedCookie, setSignedCookie } from '#api/guards/signed-cookie.ts'
import { redirect } from '#api/redirect.ts'
import { deliveryStatuses } from '#notifications/deliveries/delivery.ts'
import { countMail, listDeliveries } from '#notifications/deliveries/list-deliveries.ts'
import { requirePerson } from '../sign-in/require-sign-in.ts'
import { adminPage } from './admin-page.ts'
import { mailView } from './mail-view.ts'
import { sendTestMail } from './send-test-mail.ts'

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
