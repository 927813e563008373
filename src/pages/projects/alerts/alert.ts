import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Alert, alertStatuses } from '../../../alerts/alert.ts'
import { findAlert } from '../../../alerts/find-alert.ts'
import { listNotes } from '../../../alerts/list-notes.ts'
import { presentWhole } from '../../../alerts/routes/present-alert-details.ts'
import { callerOf } from '../../../identity/identify.ts'
import { Role } from '../../../projects/members/member.ts'
import { formOf } from '../../layout/field.ts'
import { type Html, html } from '../../layout/html.ts'
import { requirePerson } from '../../sign-in/require-sign-in.ts'
import { history } from '../note-history.ts'
import { type Problems, type Visit, visitOf } from '../page-context.ts'
import { projectPage } from '../project-page.ts'

/** Somebody on the page of an alert. */
export interface AlertVisit extends Visit {
  alert: Alert
  home: string
}

export async function alertVisitOf(request: FastifyRequest): Promise<AlertVisit> {
  const visit = await visitOf(request, Role.developer)
  const iid = Number((request.params as { iid: string }).iid)
  const { alert } = await findAlert(visit.em, callerOf(request), {
    id: String(visit.project.id),
    alert_iid: Number.isSafeInteger(iid) ? iid : 0
  })

  return { ...visit, alert, home: `${visit.root}/alerts/${alert.iid}` }
}

/** An alert with all there is to know of it, and what can be done. */
export async function alertPage(app: FastifyInstance) {
  app.get('/projects/:id/alerts/:iid', { onRequest: requirePerson(app) }, async (request, reply) =>
    showAlert(reply, await alertVisitOf(request))
  )
}

export async function showAlert(reply: FastifyReply, visit: AlertVisit, problems: Problems = {}) {
  const { em, alert, project, keeper, root, home } = visit
  const whole = await presentWhole(em, alert, project, keeper.config.baseUrl)
  const lines = (await listNotes(em, alert.id, { limit: 100, sort: 'desc' })).reverse()
  const isMine = whole.assignees.some(({ id }) => id === callerOf(reply.request).id)
  const facts: [string, Html | string | false | null | undefined][] = [
    ['Severity', whole.severity],
    ['Started', time(whole.started_at)],
    ['Ended', whole.ended_at && time(whole.ended_at)],
    ['Occurrences', String(whole.event_count)],
    ['Source', whole.source],
    ['Service', whole.service],
    ['Hosts', whole.hosts.join(', ')],
    ['Environment', whole.service_environment_name],
    ['Runbook', whole.runbook && link(whole.runbook)],
    ['Metric', whole.metric_expression && html`<code>${whole.metric_expression}</code>`],
    ['Looked after by', whole.assignees.map(({ username }) => `@${username}`).join(', ') || 'nobody'],
    ['Incident', whole.issue_iid !== null && html`<a href="${root}/incidents/${whole.issue_iid}">#${whole.issue_iid}</a>`]
  ]
  const button = (action: string, label: string, fields: Html = html``) =>
    formOf(reply.request, { action: `${home}/${action}` }, html`${fields}<button class="plain">${label}</button>`)

  return projectPage(
    reply,
    visit,
    { title: whole.title, tab: 'alerts' },
    html`
    <h1>${whole.title}</h1>
    <p class="lead">${whole.reference} <span class="${whole.status === 'resolved' ? 'badge good' : 'badge'}">${whole.status}</span></p>
    ${whole.description && html`<p class="said">${whole.description}</p>`}
    ${problems.fingerprint && html`<p class="problem" role="alert">Another alert of the same kind is open: this one cannot be opened again.</p>`}
    <div class="doings">
      ${alertStatuses.filter(status => status !== whole.status).map(status => button('status', verbs[status], html`<input type="hidden" name="status" value="${status}">`))}
      ${button('assignee', isMine ? 'Leave it to others' : 'Look after it')}
      ${whole.issue_iid === null && button('incident', 'Make an incident')}
    </div>
    <dl class="facts">${facts.filter(([, value]) => value).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
    ${whole.metric_images.length > 0 && html`<h2>Metric images</h2><ul>${whole.metric_images.map(({ file_path: path, filename, url, url_text: text }) => html`<li><a href="${path}">${filename}</a> ${url && link(url, text ?? url)}</li>`)}</ul>`}
    ${history(reply.request, lines, `${home}/notes`, problems.body)}
    <h2>Payload</h2>
    <pre class="payload">${JSON.stringify(whole.payload, undefined, 2)}</pre>`
  )
}

const verbs = { triggered: 'Open again', acknowledged: 'Acknowledge', resolved: 'Resolve', ignored: 'Ignore' }

function time(at: string) {
  return html`<time datetime="${at}">${at.slice(0, 19).replace('T', ' ')} UTC</time>`
}

/** Whoever sent the alert chose it: it must be an address, and not a script. */
function link(url: string, text = url) {
  return /^https?:\/\//i.test(url) ? html`<a href="${url}" rel="noreferrer noopener">${text}</a>` : html`${text}`
}
