import type { FastifyInstance, FastifyReply } from 'fastify'
import type { ApplicationFields } from '../applications/application-form.ts'
import { applicationPages } from '../applications/application-pages.ts'
import { applicationList } from '../applications/application-views.ts'
import { type Html, html } from '../layout/html.ts'
import { requirePerson } from '../sign-in/require-sign-in.ts'
import { adminPage } from './admin-page.ts'

const path = '/admin/applications'

/** The applications of the instance. */
export async function instanceApplicationsPage(app: FastifyInstance) {
  await app.register(applicationPages, { path, guard: requirePerson(app, app.requireAdmin), ownerIdOf: () => null, frame, showList })
}

function frame(reply: FastifyReply, content: Html) {
  return adminPage(reply, { title: 'Applications', tab: path }, content)
}

async function showList(reply: FastifyReply, form?: ApplicationFields) {
  return frame(
    reply,
    html`
    <h1>Applications</h1>
    <p class="lead">These applications are available to all users of this instance. Those registered by an admin are trusted: users are not asked for consent.</p>
    ${await applicationList(reply.request, { em: reply.server.platform.fork(), path, owner: null, form })}`
  )
}
