import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readDevice, readSession } from '#api/guards/cookies.ts'
import { redirect } from '#api/redirect.ts'
import { connectPerson } from '#identity/provider/identities.ts'
import type { Person } from '#identity/provider/person.ts'
import { callbackPath, type Provider } from '#identity/provider/provider.ts'
import { takeSignIn } from '#identity/provider/provider-sign-in.ts'
import { type Refused, signInPerson } from '#identity/provider/sign-in-person.ts'
import { findSession } from '#identity/sessions/sessions.ts'
import type { User } from '#identity/users/user.ts'
import { readInstanceSettings } from '#instance-settings/instance-setting.ts'
import { attempt, inOneText } from '../layout/attempt.ts'
import { flash } from '../layout/flash.ts'
import { html } from '../layout/html.ts'
import { page } from '../layout/page.ts'
import { returnTo, signInPath } from './return-to.ts'
import { askProvider, failureText, readBrowser, sendToProvider } from './send-to-provider.ts'
import { clientOf, errors, providerPath, redirectSignedIn, rejectCrossSite, signInPage } from './sign-in.ts'

const settingsPath = '/-/profile/identities'

/** Signs in at an OpenID Connect provider: the way there, and back. */
export async function providerSignIn(app: FastifyInstance, { provider }: { provider: Provider }) {
  const { platform } = app
  const { name } = provider.settings
  const beforeSession = {
    onRequest: async (request: FastifyRequest) => rejectCrossSite(request),
    config: { isBeforeSession: true as const }
  }

  app.post(providerPath, beforeSession, async (request, reply) => {
    const path = returnTo(request)
    const failure = await sendToProvider(reply, provider, { returnTo: path })

    return failure ? signInPage(reply.code(400), { returnTo: path, problem: failureText(failure, name) }) : reply
  })

  app.get<{ Querystring: { state?: string } }>(callbackPath, async (request, reply) => {
    const query = request.url.slice(request.url.indexOf('?') + 1)
    const begun = await takeSignIn(request.em, readBrowser(request), String(request.query.state ?? ''), new Date())

    if (!begun) return expired(reply)
    const answer = await askProvider(request, () => provider.identify(query, begun.challenge))

    if (begun.userId) return connect(reply, begun.userId, 'failure' in answer ? failureText(answer.failure, name) : answer.result)
    const retry = (problem: string) => signInPage(reply.code(400), { returnTo: begun.returnTo, problem })

    if ('failure' in answer) return retry(failureText(answer.failure, name))
    const { settings } = provider
    const outcome = await signInPerson(request.em, platform, { person: answer.result, settings, client: clientOf(request), at: new Date() })

    if (typeof outcome !== 'string') return redirectSignedIn(request, reply, outcome, begun.returnTo)
    request.log.warn({ outcome, subject: answer.result.subject }, 'sign-in failed')

    return retry(await refusedText(reply, outcome, answer.result, name))
  })
}

/** Of the user who began it, and is still signed in. */
async function connect(reply: FastifyReply, userId: number, answer: Person | string) {
  const { request } = reply
  const { em } = request
  const at = new Date()
  const secret = readSession(request) ?? ''
  const session = await findSession(em, secret, at)
  const user = session?.user as User | undefined

  if (user?.id !== userId || !user.isActive() || session?.impersonated) return expired(reply)
  if (typeof answer === 'string')
    return problem(reply, { title: 'Not connected', text: answer, to: settingsPath, label: 'Back to the settings' })
  const account = { user, actor: { user, ip: request.ip }, session: secret, device: readDevice(request), at }
  const { problems } = await attempt(() => connectPerson(em, account, answer))

  if (problems)
    return problem(reply, { title: 'Not connected', text: inOneText(problems), to: settingsPath, label: 'Back to the settings' })
  flash(reply, 'Connected. You can sign in with it from now on.')

  return redirect(reply, settingsPath)
}

/** The back button leads here, too. */
async function expired(reply: FastifyReply) {
  const session = await findSession(reply.request.em, readSession(reply.request) ?? '', new Date())
  const next = session ? { to: '/', label: 'Go to the home page' } : { to: signInPath('/'), label: 'Sign in again' }

  return problem(reply, {
    title: 'Sign-in expired',
    text: 'This sign-in has expired, was already used, or began in another browser.',
    ...next
  })
}

interface Problem {
  title: string
  text: string
  /** The way on. */
  to: string
  label: string
}

function problem(reply: FastifyReply, { title, text, to, label }: Problem) {
  return page(
    reply.code(400),
    { title, width: 'narrow' },
    html`<section class="card"><h1>${title}</h1><p class="problem" role="alert">${text}</p><p><a class="button" href="${to}">${label}</a></p></section>`
  )
}

async function refusedText({ request }: FastifyReply, refused: Refused, { email }: Person, name: string) {
  const { domainAllowlist } = await readInstanceSettings(request.server.platform.fork())

  return {
    blocked: errors.blocked,
    pending: errors.pending,
    outside: `Your account at ${name} is not in the group that may sign in here. Ask an administrator.`,
    addressless: `${name} did not send your e-mail address, which an account here needs. Ask an administrator.`,
    taken: `There is already an account with the address ${email}. Sign in to it another way, then connect ${name} at Settings → Connected sign-ins.`,
    closed: 'You have no account here. Ask an administrator for one.',
    domain: `New accounts need a verified e-mail address at ${domainAllowlist.slice(0, 10).join(', ')}.`
  }[refused]
}
