import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { enqueueConfirmed } from '#identity/emails/jobs.ts'
import { isSignUpOpen, requestSignUp, signUp } from '#identity/sign-up/sign-up.ts'
import { emailOfToken } from '#identity/sign-up/sign-up-link.ts'
import { findByLogin } from '#identity/users/find-user.ts'
import { readInstanceSettings } from '#instance-settings/instance-setting.ts'
import { Form, readForm } from '../layout/form.ts'
import { textOf } from '../layout/forms.ts'
import { checkNewPassword } from '../sign-in/password-fields.ts'
import { rejectCrossSite } from '../sign-in/sign-in.ts'
import { AccountForm } from './account-fields.ts'
import { signInNewUser } from './sign-in-new-user.ts'
import { accountView, closedView, EmailForm, emailView, invalidLinkView, requestedView, waitingView } from './sign-up-view.ts'

const path = '/users/sign_up'

/** People confirm their address first, so nothing is stored for addresses of others, and the answer does not tell who has an account. */
export async function signUpPages(app: FastifyInstance) {
  const { config } = app.platform
  const beforeSession = {
    onRequest: async (request: FastifyRequest) => rejectCrossSite(request),
    config: { isBeforeSession: true as const }
  }

  app.get(path, async (request, reply) => {
    const settings = await readInstanceSettings(request.em)

    return isSignUpOpen(settings, config) ? emailView(reply, settings, new Form(EmailForm)) : closedView(reply)
  })

  app.post(path, beforeSession, async (request, reply) => {
    const settings = await readInstanceSettings(request.em)

    if (!isSignUpOpen(settings, config)) return closedView(reply.code(403))
    const form = readForm(request, EmailForm)
    const saved = await form.save(({ email }) => requestSignUp(request.em, email, new Date()))

    return saved ? requestedView(reply) : emailView(reply.code(400), settings, form)
  })

  app.get<{ Querystring: { sign_up_token?: string } }>(`${path}/account`, async (request, reply) => {
    const token = String(request.query.sign_up_token ?? '')
    const email = await findEmail(request, reply, token)

    return email ? accountView(reply, { email, token, form: new Form(AccountForm) }) : reply
  })

  app.post(`${path}/account`, beforeSession, async (request, reply) => {
    const token = textOf(request, 'sign_up_token')
    const email = await findEmail(request, reply, token)

    if (!email) return reply
    const form = readForm(request, AccountForm, ['password', 'again'])
    const { name, username, password } = form.body

    checkNewPassword(form, { name, username, email })
    const saved = await form.save(() => signUp(request.em, { name, username, email, password }, request.ip))

    if (!saved) return accountView(reply.code(400), { email, token, form })
    if (!saved.result.isActive()) return waitingView(reply, email)
    await enqueueConfirmed(app.platform, saved.result.id)

    return signInNewUser(request, reply, { username, password }, '/')
  })
}

/** Undefined when the answer says why the link does not work. */
async function findEmail(request: FastifyRequest, reply: FastifyReply, token: string) {
  const { config } = request.server.platform
  const email = await emailOfToken(config, token, new Date())

  if (!isSignUpOpen(await readInstanceSettings(request.em), config)) return void closedView(reply.code(403))
  if (!email || (await findByLogin(request.em, email))) return void invalidLinkView(reply)

  return email
}
