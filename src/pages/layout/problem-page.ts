import type { FastifyReply, FastifyRequest } from 'fastify'
import { readSession } from '../../http/guards/cookies.ts'
import type { Problem } from '../../http/problems/problems.ts'
import { sessionStrategy } from '../../identity/credentials/session.ts'
import { identifyWith } from '../../identity/identify.ts'
import { signInPage } from '../sign-in/sign-in.ts'
import { formOf } from './field.ts'
import { html } from './html.ts'
import { page } from './page.ts'

/** Renders a problem for browsers; undefined for API clients, which get JSON. */
export async function problemPage(request: FastifyRequest, reply: FastifyReply, problem: Problem) {
  if (!isBrowser(request)) return undefined
  const { status } = problem

  await identifyReader(request)
  reply.code(status).headers(problem.headers)
  if (status === 401) return signInPage(reply, { returnTo: request.method === 'GET' ? request.url : pageOfForm(request) })
  if (requiresNewPassword(problem)) return reply.redirect(`/users/password?return_to=${encodeURIComponent(request.url)}`, 303)
  const { title, text } = messages[status] ?? (status < 500 ? messages[400]! : messages[500]!)

  return page(
    reply,
    { title, width: 'narrow' },
    html`
    <section class="card" data-refused>
      <p class="status">${status}</p>
      <h1>${title}</h1>
      <p>${reasonOf(problem) ?? text}</p>
      ${nextStep(request)}
    </section>`
  )
}

const messages: Record<number, { title: string; text: string }> = {
  400: { title: 'Bad request', text: 'The request is not valid.' },
  403: { title: 'Access denied', text: 'You do not have permission for this.' },
  404: { title: 'Not found', text: 'This page does not exist, or you do not have access to it.' },
  500: { title: 'Internal error', text: 'Something went wrong on our side. The error has been logged; try again later.' },
  503: { title: 'Temporarily unavailable', text: 'A dependency of Tocsin does not answer. Try again in a few seconds.' }
}

/** The page that a form was sent from, to return to after signing in. Our pages send their whole address with their forms. */
function pageOfForm({ headers, host }: FastifyRequest) {
  const url = URL.parse(headers.referer ?? '')

  return url?.host === host ? `${url.pathname}${url.search}` : '/'
}

/** The header has the navigation on pages that no guard admitted to, such as a 404. */
export async function identifyReader(request: FastifyRequest) {
  if (request.caller || !readSession(request)) return
  request.caller = await identifyWith(request.server.platform.fork, [sessionStrategy])(request).catch(() => undefined)
}

/** A session that is refused offers to sign out. */
function nextStep(request: FastifyRequest) {
  const isRefusedSession = !request.caller && readSession(request)

  return isRefusedSession
    ? formOf(request, { action: '/users/sign_out' }, html`<button>Sign out</button>`)
    : html`<p><a href="/">Go to the home page</a></p>`
}

/** The reason of a 403, after the dash. */
function reasonOf(problem: Problem) {
  const [, reason] = /^403 Forbidden - (.+)$/.exec(problem.summary()) ?? []

  return reason && `${reason}.`
}

function requiresNewPassword({ message }: Problem) {
  return message.includes('one-time password')
}

export function isBrowser({ headers, url }: FastifyRequest) {
  return Boolean(headers.accept?.includes('text/html')) && !url.startsWith('/api/')
}
