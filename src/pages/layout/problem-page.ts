import type { FastifyReply, FastifyRequest } from 'fastify'
import { readSession } from '#api/guards/cookies.ts'
import type { Problem } from '#api/problems/problems.ts'
import { ownPath, redirect } from '#api/redirect.ts'
import { sessionStrategy } from '#identity/credentials/session.ts'
import { identifyWith } from '#identity/identify.ts'
import { Forbidden } from '#lib/refusals.ts'
import { isReservedPath } from '#namespaces/paths.ts'
import { pageOfForm, signInPath } from '../sign-in/return-to.ts'
import { signInPage } from '../sign-in/sign-in.ts'
import { formOf } from './field.ts'
import { StaleForm } from './forms.ts'
import { html } from './html.ts'
import { page } from './page.ts'

/** Sends the page of a problem to browsers; false for API clients, which get JSON. */
export async function problemPage(request: FastifyRequest, reply: FastifyReply, problem: Problem) {
  if (!isBrowser(request) && !isLinked(request)) return false
  await showProblem(request, reply, problem)

  return true
}

async function showProblem(request: FastifyRequest, reply: FastifyReply, problem: Problem) {
  const { status } = problem

  await identifyReader(request)
  reply.code(status).headers(problem.headers)
  if (status === 401)
    return signInPage(reply, request.method === 'GET' ? { returnTo: request.url } : { returnTo: pageOfForm(request), isAgain: true })
  if (requiresNewPassword(problem)) return redirect(reply, `/users/password?return_to=${encodeURIComponent(request.url)}`)
  const { title, text } = messages[status] ?? (status < 500 ? messages[400]! : messages[500]!)

  return page(
    reply,
    { title, width: 'narrow' },
    html`
    <section class="card" data-refused>
      <p class="status">${status}</p>
      <h1>${title}</h1>
      <p>${withPeople(reasonOf(problem)) || (isAdminPage(request) && status === 403 ? 'Only administrators can open this page.' : text)}</p>
      ${nextStep(request, problem)}
    </section>`
  )
}

const messages: Record<number, { title: string; text: string }> = {
  400: { title: 'Bad request', text: 'The request is not valid.' },
  403: { title: 'Access denied', text: 'You do not have permission for this.' },
  404: { title: 'Not found', text: 'This page does not exist, or you do not have access to it.' },
  500: { title: 'Internal error', text: 'Something went wrong on our side. The error has been logged; try again later.' },
  503: { title: 'Temporarily unavailable', text: 'A service that Tocsin depends on is not responding. Try again in a few seconds.' }
}

/** The header has the navigation on pages that no guard admitted to, such as a 404. */
export async function identifyReader(request: FastifyRequest) {
  if (request.caller || !readSession(request)) return
  request.caller = await identifyWith(request.server.platform.fork, [sessionStrategy])(request).catch(() => undefined)
}

/** A session that is refused offers to sign out, and nothing found to sign in. A form that has expired leads to a new one. */
function nextStep(request: FastifyRequest, problem: Problem) {
  if (problem.cause instanceof StaleForm && request.caller)
    return html`<p><a class="button" href="${pageOfForm(request)}">Open the form again</a></p>`
  if (request.caller && problem.cause instanceof Forbidden && problem.cause.place) {
    const { name, url } = problem.cause.place

    return html`<p><a class="button" href="${url}">Back to ${name}</a></p>`
  }
  if (request.caller) return html`<p><a href="/">Go to the home page</a></p>`
  if (readSession(request)) return formOf(request, { action: '/users/sign_out' }, html`<button>Sign out</button>`)

  return problem.status === 404
    ? html`<p>You may have to <a href="${signInPath(ownPath(request.originalUrl))}">sign in</a> to see it.</p>`
    : html`<p><a href="/">Go to the home page</a></p>`
}

function isAdminPage({ url }: FastifyRequest) {
  return url.startsWith('/admin')
}

/** The reason of a 403. */
function reasonOf(problem: Problem) {
  const { cause } = problem

  return cause instanceof Forbidden && cause.reason ? `${cause.reason}.` : undefined
}

/** Names of users who can help become links. */
function withPeople(text: string | undefined) {
  return text?.split(/@([\w.-]*\w)/).map((part, n) => (n % 2 === 1 ? html`<a href="/${part}">@${part}</a>` : part))
}

function requiresNewPassword({ message }: Problem) {
  return message.includes('one-time password')
}

export function isBrowser({ headers, url }: FastifyRequest) {
  return Boolean(headers.accept?.includes('text/html')) && !url.startsWith('/api/')
}

/** A `web_url`: of a project, or of what is in projects and groups. */
function isLinked(request: FastifyRequest) {
  const [, first = '', second] = /^\/([\w.-]+)(\/[\w.-]+)*\/?(?:\?|$)/.exec(request.url) ?? []
  const isProject = second !== undefined && !isReservedPath(first)

  return request.method === 'GET' && (isProject || /^\/(?:projects|groups)\//.test(request.url)) && acceptsPages(request)
}

/** Links from the API are opened by programs, too, which accept anything or do not say. */
export function acceptsPages(request: FastifyRequest) {
  return isBrowser(request) || (!request.url.startsWith('/api/') && !/\bjson\b/i.test(request.headers.accept ?? ''))
}
