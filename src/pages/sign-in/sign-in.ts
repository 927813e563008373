import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { browserOrigin, isTrustworthy } from '#api/browser-origin.ts'
import { cookieOptions, deviceCookieName, readDevice, readSession, sessionCookieName } from '#api/guards/cookies.ts'
import { redirect } from '#api/redirect.ts'
import { Login } from '#identity/sessions/authenticate-password.ts'
import { deviceSeconds } from '#identity/sessions/known-device.ts'
import { sessionSeconds } from '#identity/sessions/sessions.ts'
import { type SignedIn, signIn, signOut } from '#identity/sessions/sign-in.ts'
import { signInWithPasskey } from '#identity/sessions/sign-in-with-passkey.ts'
import { isSignUpOpen } from '#identity/sign-up/sign-up.ts'
import { readInstanceSettings } from '#instance-settings/instance-setting.ts'
import { Forbidden } from '#lib/refusals.ts'
import { formOf } from '../layout/field.ts'
import { Form, readForm } from '../layout/form.ts'
import { html } from '../layout/html.ts'
import { page } from '../layout/page.ts'
import { passkeySignIn, readPasskeyAnswer } from './passkey-sign-in.ts'
import { continueTo, isAuthorization, returnTo, signInPath } from './return-to.ts'

/** Begins a sign-in at the OpenID Connect provider. */
export const providerPath = '/users/auth/openid_connect'

export const errors = {
  invalid: 'Invalid username or password. After 10 failed attempts, new browsers are limited to a few attempts for 10 minutes.',
  blocked: 'This account is blocked. Ask an admin to unblock it.',
  refused: 'The passkey was not accepted. Try again, or sign in with your password.',
  pending: 'Your account is waiting for approval. You get an e-mail once an administrator has decided.'
}

export async function signInPages(app: FastifyInstance) {
  const { config } = app.platform
  const beforeSession = {
    onRequest: async (request: FastifyRequest) => rejectCrossSite(request),
    config: { isBeforeSession: true as const }
  }

  app.get('/users/sign_in', async (request, reply) => signInPage(reply, { returnTo: returnTo(request) }))

  app.post('/users/sign_in', beforeSession, async (request, reply) => {
    const form = readForm(request, Login, ['password'])
    const outcome = await signIn(request.em, config, form.body, clientOf(request), new Date())

    if (typeof outcome === 'string') {
      request.log.warn({ login: form.body.login.slice(0, 100), outcome }, 'sign-in failed')
      form.problems.base = errors[outcome]

      return signInPage(reply.code(401), { form, returnTo: returnTo(request) })
    }

    return redirectSignedIn(request, reply, outcome, returnTo(request))
  })

  app.post('/users/sign_in/passkey', beforeSession, async (request, reply) => {
    const outcome = await signInWithPasskey(request.em, config, readPasskeyAnswer(request), clientOf(request), new Date())

    if (typeof outcome === 'string') {
      const form = new Form(Login)

      request.log.warn({ outcome }, 'sign-in with a passkey failed')
      form.problems.base = errors[outcome === 'invalid' ? 'refused' : outcome]

      return signInPage(reply.code(401), { form, returnTo: returnTo(request) })
    }

    return redirectSignedIn(request, reply, outcome, returnTo(request))
  })

  app.post('/users/sign_out', async (request, reply) => {
    const secret = readSession(request)

    if (secret) await signOut(request.em, secret, clientOf(request))

    return redirect(clearSessionCookie(reply), signInPath(returnTo(request)))
  })
}

interface SignInPage {
  returnTo: string
  form?: Form<typeof Login>
  /** Why the provider's sign-in failed. */
  problem?: string
  /** A form was sent without a session. */
  isAgain?: boolean
}

export async function signInPage(reply: FastifyReply, { returnTo, form = new Form(Login), problem, isAgain }: SignInPage) {
  const hasLogin = form.text('login') !== ''
  const passkeys = await passkeySignIn(reply, returnTo)

  return page(
    reply,
    { title: 'Sign in', width: 'narrow', redirectsAway: isAuthorization(returnTo) },
    html`
    <section class="card" data-refused>
      <h1>Sign in</h1>
      ${await continueTo(reply, returnTo)}
      ${otherAddress(reply.request)}
      ${isAgain && html`<p class="flash" role="status">Your session has ended, and the form was not sent. Sign in and send it again.</p>`}
      ${problem && html`<p class="problem" role="alert">${problem}</p>`}
      ${providerButton(reply, returnTo)}
      ${form.render(
        reply.request,
        { action: '/users/sign_in' },
        html`
        <input type="hidden" name="return_to" value="${returnTo}">
        ${form.field('login', {
          label: 'Username or e-mail',
          autocomplete: passkeys ? 'username webauthn' : 'username',
          isRequired: true,
          attributes: { autocapitalize: 'none', spellcheck: 'false', autofocus: !hasLogin }
        })}
        ${form.field('password', {
          label: 'Password',
          type: 'password',
          autocomplete: 'current-password',
          isRequired: true,
          attributes: { autofocus: hasLogin }
        })}
        <button>Sign in</button>`
      )}
      ${passkeys}
      <p class="actions">${passwordHelp(reply)} ${await signUpLink(reply)}</p>
    </section>`
  )
}

function providerButton({ request, server }: FastifyReply, path: string) {
  const { oidc } = server.platform.config

  return (
    oidc &&
    html`
    ${formOf(request, { action: providerPath, class: 'provider' }, html`<input type="hidden" name="return_to" value="${path}"><button class="plain">Continue with ${oidc.name}</button>`)}
    <p class="or"><span>or</span></p>`
  )
}

async function signUpLink({ server }: FastifyReply) {
  const { config, fork } = server.platform

  return (
    isSignUpOpen(await readInstanceSettings(fork()), config) && html`<a class="button quiet" href="/users/sign_up">Create an account</a>`
  )
}

/** Over HTTP, a browser drops the cookies of an address with HTTPS, and would be asked to sign in again. */
function otherAddress(request: FastifyRequest) {
  const { isSecure, baseUrl } = request.server.platform.config

  return (
    isSecure &&
    !isTrustworthy(request) &&
    browserOrigin(request).startsWith('http:') &&
    html`<p class="warning">You can sign in only over HTTPS: <a href="${baseUrl}">${baseUrl}</a>.</p>`
  )
}

/** Without a mail server, only an admin can help. */
function passwordHelp({ server }: FastifyReply) {
  return server.platform.config.smtp.url
    ? html`<a class="button quiet" href="/users/password/new">Forgot your password?</a>`
    : html`<span class="hint">Forgot your password? Ask an administrator to reset it.</span>`
}

/** Replaces the browser's session by the new one and redirects to the next step. */
export async function redirectSignedIn(
  request: FastifyRequest,
  reply: FastifyReply,
  { secret, device, user, awaitsCode }: SignedIn,
  path: string
) {
  const previous = readSession(request)
  const query = `return_to=${encodeURIComponent(path)}`

  if (previous) await signOut(request.em, previous, clientOf(request))
  setSessionCookie(reply, secret)
  if (device) setDeviceCookie(reply, device)
  if (awaitsCode) return redirect(reply, `/users/sign_in/code?${query}`)

  return redirect(reply, user.mustChangePassword ? `/users/password?${query}` : path)
}

export function clientOf(request: FastifyRequest) {
  return { ip: request.ip, userAgent: request.headers['user-agent'], device: readDevice(request) }
}

/** Prevents login CSRF: the form has no CSRF token before there is a session. */
export function rejectCrossSite({ headers }: FastifyRequest) {
  const { 'sec-fetch-site': site, origin, host } = headers
  const isCrossSite = site ? site !== 'same-origin' && site !== 'none' : origin ? URL.parse(origin)?.host !== host : false

  if (isCrossSite) throw new Forbidden('Cross-site request')
}

export function setSessionCookie(reply: FastifyReply, secret: string) {
  return reply.setCookie(sessionCookieName(reply.server.platform.config), secret, { ...cookieOptions(reply), maxAge: sessionSeconds })
}

/** Signing out does not clear it. */
function setDeviceCookie(reply: FastifyReply, secret: string) {
  return reply.setCookie(deviceCookieName(reply.server.platform.config), secret, { ...cookieOptions(reply), maxAge: deviceSeconds })
}

function clearSessionCookie(reply: FastifyReply) {
  return reply.clearCookie(sessionCookieName(reply.server.platform.config), cookieOptions(reply))
}
