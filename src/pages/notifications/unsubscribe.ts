import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { optIn, optOut, withoutOptOuts } from '#notifications/deliveries/opt-out-store.ts'
import { readToken, type Unsubscription } from '#notifications/mail/unsubscribe.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { Project } from '#projects/project.ts'
import { formOf } from '../layout/field.ts'
import { textOf } from '../layout/forms.ts'
import { type Html, html } from '../layout/html.ts'
import { page } from '../layout/page.ts'

interface Query {
  token?: string
}

const path = '/unsubscribe'
const maxForm = 10_000

/** The link of a mail shows a form, because programs that check mail follow links. A mail client POSTs at once (RFC 8058). */
export async function unsubscribePage(app: FastifyInstance) {
  const { config, fork } = app.platform
  const find = (request: FastifyRequest<{ Querystring: Query }>) => readToken(config, String(request.query.token ?? ''))

  // Mail clients may send the form as multipart, too (RFC 8058 §3.1). It says nothing that the link does not say.
  app.addContentTypeParser('multipart/form-data', { parseAs: 'buffer', bodyLimit: maxForm }, (_request, _form, done) => done(null, {}))

  app.get<{ Querystring: Query }>(path, async (request, reply) => {
    const found = await find(request)

    if (!found) return invalidLink(reply)
    const [subscribed] = await withoutOptOuts(fork(), [found], ({ subject }) => subject)

    return subscribed
      ? card(reply, html`<h1>Unsubscribe</h1><p>Stop e-mail about ${await describe(fork(), found)}?</p>${form(request, 'Unsubscribe')}`)
      : unsubscribed(reply, await describe(fork(), found))
  })

  // The token is the proof, so another site cannot forge the request.
  app.post<{ Querystring: Query }>(path, { config: { isBeforeSession: true } }, async (request, reply) => {
    const found = await find(request)

    if (!found) return invalidLink(reply)
    const what = await describe(fork(), found)

    if (textOf(request, 'again') === '') {
      await optOut(fork(), found, found.subject)

      return unsubscribed(reply, what)
    }
    await optIn(fork(), found, found.subject)

    return card(reply, html`<h1>Subscribed</h1><p>You will receive e-mail about ${what} again.</p>`)
  })
}

/** By mistake, or by a program that follows links: it can be undone. */
function unsubscribed(reply: FastifyReply, what: Html) {
  return card(
    reply,
    html`<h1>Unsubscribed</h1><p>You will no longer receive e-mail about ${what}.</p>${form(reply.request, 'Subscribe again', html`<input type="hidden" name="again" value="1">`)}`
  )
}

function form(request: FastifyRequest, label: string, fields?: Html) {
  const { token = '' } = request.query as Query

  return formOf(request, { action: `${path}?token=${encodeURIComponent(token)}` }, html`${fields}<button>${label}</button>`)
}

async function describe(em: EntityManager, { projectId, subject }: Unsubscription) {
  const project = await em.findOne(Project, { id: projectId })
  const noun = subject.split('-')[0]
  const what = /^(issue|incident)$/.test(noun!) ? `this ${noun} in` : subject === '' ? 'reports by the rules of' : 'moves of'

  return html`${what} ${project ? html`the project <strong>${project.name}</strong>` : 'a project that was deleted'}`
}

function invalidLink(reply: FastifyReply) {
  const text = 'The link is incomplete. Use the whole link from the e-mail.'

  return card(reply.code(400), html`<h1>Invalid link</h1><p class="problem" role="alert">${text}</p>`)
}

function card(reply: FastifyReply, content: Html) {
  return page(reply, { title: 'Unsubscribe', width: 'narrow' }, html`<section class="card">${content}</section>`)
}
