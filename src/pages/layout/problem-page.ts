import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Problem } from '../../http/problems/problems.ts'
import { readSession } from '../sign-in/session-cookie.ts'
import { signInPage } from '../sign-in/sign-in.ts'
import { formOf } from './field.ts'
import { html } from './html.ts'
import { page } from './page.ts'

/** Tells a person at a browser what went wrong; a program gets its answer elsewhere. */
export function problemPage(request: FastifyRequest, reply: FastifyReply, problem: Problem) {
  if (!isPerson(request)) return undefined
  const { status } = problem

  reply.code(status).headers(problem.headers)
  if (status === 401) return signInPage(reply, { returnTo: request.method === 'GET' ? request.url : '/' })
  if (isOneTime(problem)) return reply.redirect(`/users/password?return_to=${encodeURIComponent(request.url)}`, 303)
  const { title, text } = words[status] ?? (status < 500 ? words[400]! : words[500]!)

  return page(
    reply,
    { title, width: 'narrow' },
    html`
    <section class="card">
      <p class="status">${status}</p>
      <h1>${title}</h1>
      <p>${reasonOf(problem) ?? text}</p>
      ${wayOut(request)}
    </section>`
  )
}

const words: Record<number, { title: string; text: string }> = {
  400: { title: 'That did not work', text: 'Something about the request is wrong.' },
  403: { title: 'Not for you', text: 'You may not see this page, or not do what you tried.' },
  404: { title: 'Not found', text: 'There is nothing at this address, or nothing that you may see.' },
  500: { title: 'Something broke', text: 'That is our mistake. It has been noted; try again in a while.' },
  503: { title: 'One moment', text: 'Something that Tocsin needs does not answer just now. Try again in a few seconds.' }
}

/** Whoever is refused with the account they have may want another. */
function wayOut(request: FastifyRequest) {
  const isStuck = !request.caller && readSession(request)

  return isStuck
    ? formOf(request, { action: '/users/sign_out' }, html`<button>Sign out</button>`)
    : html`<p><a href="/">Back to the start</a></p>`
}

/** Forbidden things say why after the dash. */
function reasonOf(problem: Problem) {
  const [, reason] = /^403 Forbidden - (.+)$/.exec(problem.summary()) ?? []

  return reason && `${reason}.`
}

function isOneTime({ message }: Problem) {
  return message.includes('one-time password')
}

function isPerson({ headers, url }: FastifyRequest) {
  return Boolean(headers.accept?.includes('text/html')) && !url.startsWith('/api/')
}
