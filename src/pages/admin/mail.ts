import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { clearSignedCookie, readSignedCookie, setSignedCookie } from '#api/guards/signed-cookie.ts'
import { redirect } from '#api/redirect.ts'
import {
  changeMailServer,
  findMailServer,
  MailServerBody,
  type MailServerInput,
  removeMailServer
} from '#instance-settings/change-mail-server.ts'
import { deliveryStatuses } from '#notifications/deliveries/delivery.ts'
import { countMail, listDeliveries } from '#notifications/deliveries/list-deliveries.ts'
import { attempt, inOneText } from '../layout/attempt.ts'
import { flash } from '../layout/flash.ts'
import { type Form, readForm } from '../layout/form.ts'
import { requirePerson } from '../sign-in/require-sign-in.ts'
import { adminPage } from './admin-page.ts'
import { completeForm, type MailForm, sealPassword, storedForm } from './mail-form.ts'
import { type MailTest, testEnteredServer, testMailServer } from './mail-test.ts'
import { mailView } from './mail-view.ts'

const path = '/admin/mail'
const cookie = '_test_mail'
const maxMails = 50

/** How mail is sent, what became of it in the last 30 days, and a test. */
export async function mailPage(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app, app.requireAdmin) }
  const { config, storedConfig } = app.platform

  app.get(path, guard, async (request, reply) =>
    showMail(reply, { form: await storedForm(request.em, app.platform), answer: takeAnswer(reply) })
  )

  app.post(path, guard, async (request, reply) => {
    const form = readForm(request, MailServerBody, ['password'])
    const password = await completeForm(request, form)
    const saved = await form.save(body => changeMailServer(request.em, config, { ...body, password }, request.actor))

    if (!saved) return showMail(reply.code(400), { form, sealed: await sealPassword(request, form, password) })
    await storedConfig.load()
    flash(reply, 'Mail server saved. Waiting e-mail is sent within a minute.')

    return redirect(reply, path)
  })

  app.post(`${path}/removal`, guard, async (request, reply) => {
    const { problems } = await attempt(() => removeMailServer(request.em, config, request.actor))

    await storedConfig.load()
    flash(reply, problems ? inOneText(problems) : 'Mail server removed.')

    return redirect(reply, path)
  })

  // The server of the environment as it is, or the one that is entered.
  app.post(`${path}/test`, guard, async (request, reply) => {
    if (config.smtp.isGiven) {
      setSignedCookie(reply, cookie, JSON.stringify(await testMailServer(request, new Date())), 60)

      return redirect(reply, path)
    }
    const form = readForm(request, MailServerBody, ['password'])
    const password = await completeForm(request, form)
    const sealed = await sealPassword(request, form, password)

    if (form.hasProblems) return showMail(reply.code(400), { form, sealed })

    const answer = await testEnteredServer(request, { ...form.body, password }, new Date())

    return showMail(reply, { form, sealed, answer, isUnsaved: await differsFromStored(request, form.body) })
  })
}

interface Shown {
  form: MailForm
  /** The password that was entered, encrypted: it is saved after a test without being entered again. */
  sealed?: string
  answer?: MailTest
  isUnsaved?: boolean
}

/** A password that was entered counts, too. */
async function differsFromStored({ em }: FastifyRequest, { host, port, security, username, password, sender }: MailServerInput) {
  const stored = await findMailServer(em)
  const entered = { host, port, security, username, sender }

  return password !== '' || !stored || Object.entries(entered).some(([name, value]) => stored[name as keyof typeof entered] !== value)
}

async function showMail(reply: FastifyReply, { form, sealed, answer, isUnsaved = false }: Shown) {
  const { request } = reply
  const { config } = request.server.platform
  const status = statusOf(request)

  return adminPage(
    reply,
    { title: 'Mail', tab: path },
    mailView(request, config, {
      form: form as Form<typeof MailServerBody>,
      sealed,
      status,
      counts: await countMail(request.em),
      mails: await listDeliveries(request.em, { isMail: true, status }, config.baseUrl).list(maxMails),
      answer,
      isUnsaved
    })
  )
}

function statusOf({ query }: FastifyRequest) {
  return deliveryStatuses.find(one => one === (query as { status?: string }).status)
}

function takeAnswer(reply: FastifyReply) {
  const text = readSignedCookie(reply, cookie)

  clearSignedCookie(reply, cookie)

  return text ? (JSON.parse(text) as MailTest) : undefined
}
