import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Forbidden } from '../http/problems.ts'
import { callerOf } from '../identity/identify.ts'
import { changePassword, signIn, signOut } from '../identity/sign-in.ts'
import { User } from '../identity/user.ts'

interface Form {
  Body?: Record<string, string | undefined>
}

const cookie = '_service_session'
const shortestPassword = 8

/** Signing in and out, and replacing a one-time password. Works without a script. */
export async function signInPages(app: FastifyInstance) {
  const { config, fork } = app.platform
  const cookieOptions = { path: '/', httpOnly: true, sameSite: 'lax', secure: config.isSecure } as const

  app.get('/users/sign_in', async (request, reply) => signInPage(app, reply, { returnTo: returnTo(request) }))

  app.post<Form>('/users/sign_in', { onRequest: async request => refuseForeign(request) }, async (request, reply) => {
    const { login = '', password = '', return_to: back } = request.body ?? {}
    const signedIn = await signIn(fork(), login, password, { ip: request.ip, userAgent: request.headers['user-agent'] }, new Date())

    if (!signedIn) {
      request.log.warn({ login: login.slice(0, 100) }, 'a sign-in failed')
      return signInPage(app, reply.code(401), {
        login,
        returnTo: safePath(back),
        problem: 'Name and password do not match. Check both and try again.'
      })
    }
    reply.setCookie(cookie, signedIn.secret, { ...cookieOptions, maxAge: 14 * 24 * 3600 })

    return reply.redirect(
      signedIn.user.mustChangePassword ? `/users/password?return_to=${encodeURIComponent(safePath(back))}` : safePath(back),
      303
    )
  })

  app.post('/users/sign_out', { onRequest: async request => refuseForeign(request) }, async (request, reply) => {
    const secret = request.cookies[cookie]

    if (secret) await signOut(fork(), secret)

    return reply.clearCookie(cookie, cookieOptions).redirect('/users/sign_in', 303)
  })

  const guard = { onRequest: app.requireUser, config: { allowsOneTimePassword: true as const } }

  app.get('/users/password', guard, async (request, reply) => passwordPage(app, reply, { returnTo: returnTo(request) }))

  app.post<Form>('/users/password', guard, async (request, reply) => {
    const { password = '', again, return_to: back } = request.body ?? {}
    const problem =
      password.length < shortestPassword
        ? `Use at least ${shortestPassword} characters.`
        : password !== again
          ? 'The two do not match.'
          : undefined

    if (problem) return passwordPage(app, reply.code(400), { returnTo: safePath(back), problem })
    const em = fork()
    const user = await em.findOneOrFail(User, { id: callerOf(request).id })

    await changePassword(em, user, password, request.cookies[cookie] ?? '')

    return reply.redirect(safePath(back), 303)
  })
}

interface SignInPage {
  returnTo: string
  login?: string
  problem?: string
}

export function signInPage(app: FastifyInstance, reply: FastifyReply, { returnTo, login = '', problem }: SignInPage) {
  Object.assign(reply, { title: 'Sign in · Tocsin' })

  return reply.html`
    <form class="card" method="post" action="/users/sign_in">
      <h1>Sign in</h1>
      <input type="hidden" name="return_to" value="${returnTo}">
      <label for="login">User name or e-mail</label>
      <input id="login" name="login" value="${login}" autocomplete="username" autocapitalize="none" required autofocus>
      <label for="password">Password</label>
      <input id="password" name="password" type="password" autocomplete="current-password" required !${described(problem)}>
      !${problem ? app.html`<p class="problem" id="problem" role="alert">${problem}</p>` : ''}
      <button>Sign in</button>
    </form>`
}

function passwordPage(app: FastifyInstance, reply: FastifyReply, { returnTo, problem }: SignInPage) {
  Object.assign(reply, { title: 'New password · Tocsin' })

  return reply.html`
    <form class="card" method="post" action="/users/password">
      <h1>Choose a password</h1>
      <p class="hint">It replaces the one you signed in with, and signs you out everywhere else.</p>
      <input type="hidden" name="return_to" value="${returnTo}">
      <label for="password">New password</label>
      <input id="password" name="password" type="password" autocomplete="new-password" minlength="${shortestPassword}" required autofocus !${described(problem)}>
      <label for="again">Once more</label>
      <input id="again" name="again" type="password" autocomplete="new-password" required>
      !${problem ? app.html`<p class="problem" id="problem" role="alert">${problem}</p>` : ''}
      <button>Save</button>
    </form>`
}

function described(problem?: string) {
  return problem ? 'aria-invalid="true" aria-describedby="problem"' : ''
}

function returnTo(request: FastifyRequest) {
  return safePath((request.query as { return_to?: string }).return_to)
}

/** Only to a place of ours: a path, and not one that a browser takes for another host. */
export function safePath(path: string | undefined) {
  return path && /^\/(?![/\\])/.test(path) && !/[\r\n\t]/.test(path) ? path : '/admin/queues'
}

/** Nobody may be signed in from another site's page. */
function refuseForeign({ headers }: FastifyRequest) {
  const { 'sec-fetch-site': site, origin, host } = headers
  const isForeign = site ? site !== 'same-origin' && site !== 'none' : origin ? URL.parse(origin)?.host !== host : false

  if (isForeign) throw new Forbidden('Cross-site request')
}
