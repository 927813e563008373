import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { optOut } from '../../notifications/deliveries/opt-out-store.ts'
import { readToken } from '../../notifications/mail/unsubscribe.ts'
import { Project } from '../../projects/project.ts'
import { formOf } from '../layout/field.ts'
import { type Html, html } from '../layout/html.ts'
import { page } from '../layout/page.ts'

interface Query {
  token?: string
}

const path = '/unsubscribe'

/** The link of a mail shows a form, because programs that check mail follow links. A mail client POSTs at once (RFC 8058). */
export async function unsubscribePage(app: FastifyInstance) {
  const { config, fork } = app.platform
  const find = (request: FastifyRequest<{ Querystring: Query }>) => readToken(config, String(request.query.token ?? ''))

  app.get<{ Querystring: Query }>(path, async (request, reply) => {
    const found = await find(request)

    if (!found) return invalidLink(reply)
    const action = `${path}?token=${encodeURIComponent(request.query.token!)}`
    const project = await fork().findOne(Project, { id: found.projectId })
    const what = /^(issue|incident)/.test(found.subject) ? `this ${found.subject.split('-')[0]} of ` : ''

    return card(
      reply,
      html`<h1>Unsubscribe</h1><p>Stop e-mail about ${what}${project ? html`the project <strong>${project.name}</strong>` : 'this project'}?</p>${formOf(request, { action }, html`<button>Unsubscribe</button>`)}`
    )
  })

  // The token is the proof, so another site cannot forge the request.
  app.post<{ Querystring: Query }>(path, { config: { isBeforeSession: true } }, async (request, reply) => {
    const found = await find(request)

    if (!found) return invalidLink(reply)
    await optOut(fork(), found, found.subject)

    return card(reply, html`<h1>Unsubscribed</h1><p>You get no more e-mail about it.</p>`)
  })
}

function invalidLink(reply: FastifyReply) {
  const text = 'The link is incomplete. Use the whole link of the e-mail.'

  return card(reply.code(400), html`<h1>Invalid link</h1><p class="problem" role="alert">${text}</p>`)
}

function card(reply: FastifyReply, content: Html) {
  return page(reply, { title: 'Unsubscribe', width: 'narrow' }, html`<section class="card">${content}</section>`)
}
