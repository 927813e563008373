import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Problems } from '../layout/attempt.ts'
import type { Form } from '../layout/form.ts'
import { html } from '../layout/html.ts'
import { type CommentForm, noteHistory } from '../projects/note-history.ts'
import { projectPage } from '../projects/project-page.ts'
import { requirePerson } from '../sign-in/require-sign-in.ts'
import { type AlertContext, alertContext } from './alert-context.ts'
import { alertHeader } from './alert-header.ts'
import { alertSections } from './alert-sections.ts'
import { alertSide } from './alert-side.ts'
import { loadView } from './alert-view.ts'

export async function alertPage(app: FastifyInstance) {
  app.get('/projects/:id/alerts/:iid', { onRequest: requirePerson(app) }, async (request, reply) =>
    showAlert(reply, await alertContext(request))
  )
}

interface Refused {
  /** Of a button. */
  problems?: Problems
  comment?: Form<typeof CommentForm>
}

export async function showAlert(reply: FastifyReply, context: AlertContext, { problems = {}, comment }: Refused = {}) {
  const { request } = reply
  const view = await loadView(context)

  return projectPage(
    reply,
    context,
    { title: view.details.title, tab: 'alerts' },
    html`
    <div class="error-page alert-page">
      ${await alertHeader(request, view, problems)}
      <div class="error-body">
        <div class="error-main">
          ${alertSections(view)}
          ${await noteHistory(request, view.details.notes, `${view.alertUrl}/notes`, comment)}
        </div>
        <aside class="error-side" id="alert-side" data-live="60" aria-label="About this alert">${await alertSide(view)}</aside>
      </div>
    </div>`
  )
}
