import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Alert, alertStatuses } from '../../../alerts/alert.ts'
import { findAlert } from '../../../alerts/find-alert.ts'
import { presentAlertDetails } from '../../../alerts/routes/present-alert-details.ts'
import { callerOf } from '../../../identity/identify.ts'
import { Role } from '../../../projects/members/member.ts'
import { formOf } from '../../layout/field.ts'
import { type Html, html } from '../../layout/html.ts'
import { requirePerson } from '../../sign-in/require-sign-in.ts'
import { noteHistory } from '../note-history.ts'
import { type PageContext, type Problems, pageContext } from '../page-context.ts'
import { projectPage } from '../project-page.ts'

export interface AlertContext extends PageContext {
  alert: Alert
  alertUrl: string
}

export async function alertContext(request: FastifyRequest): Promise<AlertContext> {
  const context = await pageContext(request, Role.developer)
  const iid = Number((request.params as { iid: string }).iid)
  const { alert } = await findAlert(context.em, callerOf(request), {
    id: String(context.project.id),
    alert_iid: Number.isSafeInteger(iid) ? iid : 0
  })

  return { ...context, alert, alertUrl: `${context.projectUrl}/alerts/${alert.iid}` }
}

export async function alertPage(app: FastifyInstance) {
  app.get('/projects/:id/alerts/:iid', { onRequest: requirePerson(app) }, async (request, reply) =>
    showAlert(reply, await alertContext(request))
  )
}

export async function showAlert(reply: FastifyReply, context: AlertContext, problems: Problems = {}) {
  const { em, alert, project, admin, projectUrl, alertUrl } = context
  const details = await presentAlertDetails(em, alert, project, admin.config.baseUrl)
  const isAssigned = details.assignees.some(({ id }) => id === callerOf(reply.request).id)
  const attributes: [string, Html | string | false | null | undefined][] = [
    ['Severity', details.severity],
    ['Started', time(details.started_at)],
    ['Ended', details.ended_at && time(details.ended_at)],
    ['Occurrences', String(details.event_count)],
    ['Source', details.source],
    ['Service', details.service],
    ['Hosts', details.hosts.join(', ')],
    ['Environment', details.service_environment_name],
    ['Runbook', details.runbook && link(details.runbook)],
    ['Metric', details.metric_expression && html`<code>${details.metric_expression}</code>`],
    ['Assignee', details.assignees.map(({ username }) => `@${username}`).join(', ') || 'none'],
    ['Incident', details.issue_iid !== null && html`<a href="${projectUrl}/incidents/${details.issue_iid}">#${details.issue_iid}</a>`]
  ]
  const button = (action: string, label: string, fields: Html = html``) =>
    formOf(reply.request, { action: `${alertUrl}/${action}` }, html`${fields}<button class="plain">${label}</button>`)

  return projectPage(
    reply,
    context,
    { title: details.title, tab: 'alerts' },
    html`
    <h1>${details.title}</h1>
    <p class="lead">${details.reference} <span class="${details.status === 'resolved' ? 'badge good' : 'badge'}">${details.status}</span></p>
    ${details.description && html`<p class="user-text">${details.description}</p>`}
    ${problems.fingerprint && html`<p class="problem" role="alert">Another alert of the same kind is open: this one cannot be reopened.</p>`}
    <div class="actions">
      ${alertStatuses.filter(status => status !== details.status).map(status => button('status', verbs[status], html`<input type="hidden" name="status" value="${status}">`))}
      ${button('assignee', isAssigned ? 'Unassign me' : 'Assign to me')}
      ${details.issue_iid === null && button('incident', 'Create incident')}
    </div>
    <dl class="facts">${attributes.filter(([, value]) => value).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
    ${details.metric_images.length > 0 && html`<h2>Metric images</h2><ul>${details.metric_images.map(({ file_path: path, filename, url, url_text: text }) => html`<li><a href="${path}">${filename}</a> ${url && link(url, text ?? url)}</li>`)}</ul>`}
    ${noteHistory(reply.request, details.notes, `${alertUrl}/notes`, problems.body)}
    <h2>Payload</h2>
    <pre class="payload">${JSON.stringify(details.payload, undefined, 2)}</pre>`
  )
}

const verbs = { triggered: 'Reopen', acknowledged: 'Acknowledge', resolved: 'Resolve', ignored: 'Ignore' }

function time(at: string) {
  return html`<time datetime="${at}">${at.slice(0, 19).replace('T', ' ')} UTC</time>`
}

/** The sender of the alert chooses the URL: only web addresses become links, no `javascript:`. */
function link(url: string, text = url) {
  return /^https?:\/\//i.test(url) ? html`<a href="${url}" rel="noreferrer noopener">${text}</a>` : html`${text}`
}
