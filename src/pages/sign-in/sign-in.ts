import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Forbidden } from '../../http/problems/problems.ts'
import { type SignedIn, signIn, signOut } from '../../identity/sessions/sign-in.ts'
import { field, formOf } from '../layout/field.ts'
import { textOf } from '../layout/forms.ts'
import { html } from '../layout/html.ts'
import { page } from '../layout/page.ts'
import { returnTo, safePath } from './return-to.ts'
import { forgetSession, keepSession, readSession } from './session-cookie.ts'

const problems = {
  refused: 'Name and password do not match. After several failed tries in a row, an account is locked for ten minutes.',
  blocked: 'This account is blocked. An admin can tell you why, and unblock it.'
}

/** Signing in with a name and a password, and signing out. Works without a script. */
export async function signInPages(app: FastifyInstance) {
  const { fork } = app.platform
  const beforeSession = { onRequest: async (request: FastifyRequest) => refuseForeign(request), config: { isBeforeSession: true as const } }

  app.get('/users/sign_in', async (request, reply) => signInPage(reply, { returnTo: returnTo(request) }))

  app.post('/users/sign_in', beforeSession, async (request, reply) => {
    const [login, back] = [textOf(request, 'login'), safePath(textOf(request, 'return_to'))]
    const outcome = await signIn(fork(), login, textOf(request, 'password'), originOf(request), new Date())

    if (typeof outcome === 'string') {
      request.log.warn({ login: login.slice(0, 100) }, 'a sign-in failed')
      return signInPage(reply.code(401), { login, returnTo: back, problem: problems[outcome] })
    }

    return welcome(request, reply, outcome, back)
  })

  app.post('/users/sign_out', async (request, reply) => {
    const secret = readSession(request)

    if (secret) await signOut(fork(), secret, originOf(request))

    return forgetSession(reply).redirect('/users/sign_in', 303)
  })
}

interface SignInPage {
  returnTo: string
  login?: string
  problem?: string
}

export function signInPage(reply: FastifyReply, { returnTo, login = '', problem }: SignInPage) {
  const secret = { name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password', isRequired: true }

  return page(
    reply,
    { title: 'Sign in', width: 'narrow' },
    html`
    <section class="card">
      <h1>Sign in</h1>
      ${problem && html`<p class="problem" role="alert">${problem}</p>`}
      ${formOf(
        reply.request,
        { action: '/users/sign_in' },
        html`
        <input type="hidden" name="return_to" value="${returnTo}">
        ${field({
          name: 'login',
          label: 'User name or e-mail',
          value: login,
          autocomplete: 'username',
          isRequired: true,
          with: { autocapitalize: 'none', spellcheck: 'false', autofocus: !login }
        })}
        ${field({ ...secret, with: { autofocus: Boolean(login) } })}
        <button>Sign in</button>`
      )}
    </section>`
  )
}

/** Puts the new session in the place of the one there was, and sends on. */
export async function welcome(request: FastifyRequest, reply: FastifyReply, { secret, user, awaitsCode }: SignedIn, back: string) {
  const former = readSession(request)
  const onward = `return_to=${encodeURIComponent(back)}`

  if (former) await signOut(request.server.platform.fork(), former, originOf(request))
  keepSession(reply, secret)
  if (awaitsCode) return reply.redirect(`/users/sign_in/code?${onward}`, 303)

  return reply.redirect(user.mustChangePassword ? `/users/password?${onward}` : back, 303)
}

export function originOf({ ip, headers }: FastifyRequest) {
  return { ip, userAgent: headers['user-agent'] }
}

/** Nobody may be signed in from another site's page. */
function refuseForeign({ headers }: FastifyRequest) {
  const { 'sec-fetch-site': site, origin, host } = headers
  const isForeign = site ? site !== 'same-origin' && site !== 'none' : origin ? URL.parse(origin)?.host !== host : false

  if (isForeign) throw new Forbidden('Cross-site request')
}
