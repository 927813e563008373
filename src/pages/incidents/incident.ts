import type { FastifyInstance, FastifyReply } from 'fastify'
import { redirect } from '#api/redirect.ts'
import { html } from '../layout/html.ts'
import { projectPage } from '../projects/project-page.ts'
import { requirePerson } from '../sign-in/require-sign-in.ts'
import { descriptionPart, facts } from './facts.ts'
import { type IncidentContext, incidentContext } from './incident-context.ts'
import { incidentHeader } from './incident-header.ts'
import { findLinkedAlerts, linkedAlerts, linkedErrors } from './linked.ts'
import type { RefusedForm } from './refused-form.ts'
import { statusUpdates } from './status-updates.ts'
import { timeline } from './timeline.ts'

/** Incidents, and the ordinary issues of API clients, each at the address that the API names. */
export async function incidentPage(app: FastifyInstance) {
  for (const kind of ['incidents', 'issues']) {
    app.get(`/projects/:id/${kind}/:iid`, { onRequest: requirePerson(app) }, async (request, reply) => {
      const context = await incidentContext(request)

      if (!context.incidentUrl.includes(`/${kind}/`)) return redirect(reply, context.incidentUrl, 302)

      return showIncident(reply, context)
    })
  }
}

export async function showIncident(reply: FastifyReply, context: IncidentContext, refusal?: RefusedForm) {
  const { request } = reply
  const { row, isIncident } = context
  const alerts = await findLinkedAlerts(context)
  const now = new Date()

  return projectPage(
    reply,
    context,
    { title: `${row.title} (#${row.iid})`, tab: isIncident ? 'incidents' : 'issues' },
    html`
    <div class="error-page incident">
      ${await incidentHeader(request, context, alerts, now, refusal)}
      ${isIncident && (await statusUpdates(request, context, now, refusal))}
      <div class="error-body">
        <div class="error-main">
          ${await descriptionPart(request, context, refusal)}
          ${isIncident && linkedAlerts(request, context, alerts, now, refusal)}
          ${isIncident && (await linkedErrors(request, context, now, refusal))}
          ${await timeline(request, context, now, refusal)}
        </div>
        <aside class="error-side" id="incident-side" data-live="60" aria-label="Details">${await facts(request, context, now, refusal)}</aside>
      </div>
    </div>`
  )
}
