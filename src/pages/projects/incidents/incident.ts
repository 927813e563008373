import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { actorOf } from '../../../audit/record-audit-event.ts'
import { callerOf } from '../../../identity/identify.ts'
import { changeIncident } from '../../../incidents/close-incident.ts'
import { addComment } from '../../../issues/comment.ts'
import { findIssue } from '../../../issues/find-issue.ts'
import type { Issue } from '../../../issues/issue.ts'
import { loadIssues } from '../../../issues/load-issues.ts'
import { listNotes } from '../../../notes/list-notes.ts'
import { Role } from '../../../projects/members/member.ts'
import { formOf } from '../../layout/field.ts'
import { textOf } from '../../layout/forms.ts'
import { html } from '../../layout/html.ts'
import { markdown } from '../../layout/markdown.ts'
import { requirePerson } from '../../sign-in/require-sign-in.ts'
import { noteHistory, readComment } from '../note-history.ts'
import { type PageContext, pageContext } from '../page-context.ts'
import { projectPage } from '../project-page.ts'

const path = '/projects/:id/incidents/:iid'

interface IncidentContext extends PageContext {
  issue: Issue
  incidentUrl: string
}

export async function incidentPage(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app) }

  app.get(path, guard, async (request, reply) => show(reply, await incidentContext(request)))

  app.post(`${path}/state`, guard, async (request, reply) => {
    const { em, issue, incidentUrl } = await incidentContext(request)
    const stateEvent = textOf(request, 'state_event') === 'reopen' ? 'reopen' : 'close'

    await changeIncident(em, issue, { stateEvent }, actorOf(request), new Date())

    return reply.redirect(incidentUrl, 303)
  })

  app.post(`${path}/notes`, guard, async (request, reply) => {
    const context = await incidentContext(request)
    const { body, problem } = readComment(request)

    if (problem !== undefined) return show(reply.code(400), context, problem)
    await addComment(context.em, context.issue, callerOf(request).id, body)

    return reply.redirect(context.incidentUrl, 303)
  })
}

async function incidentContext(request: FastifyRequest): Promise<IncidentContext> {
  const context = await pageContext(request, Role.reporter)
  const iid = Number((request.params as { iid: string }).iid)
  const { issue } = await findIssue(context.em, callerOf(request), {
    id: String(context.project.id),
    issue_iid: Number.isSafeInteger(iid) ? iid : 0
  })

  return { ...context, issue, incidentUrl: `${context.projectUrl}/incidents/${issue.iid}` }
}

async function show(reply: FastifyReply, context: IncidentContext, problem?: string) {
  const { em, issue, projectUrl, incidentUrl } = context
  const [row] = await loadIssues(em, [issue.id])
  const notes = (await listNotes(em, 'issue', issue.id, { sort: 'desc' }).list(100)).reverse()
  const isOpen = issue.state === 'opened'
  const stateForm = html`<input type="hidden" name="state_event" value="${isOpen ? 'close' : 'reopen'}"><button class="plain">${isOpen ? 'Close' : 'Reopen'}</button>`

  return projectPage(
    reply,
    context,
    { title: issue.title, tab: 'incidents' },
    html`
    <h1>${issue.title}</h1>
    <p class="lead">#${issue.iid} <span class="${isOpen ? 'badge' : 'badge good'}">${isOpen ? 'open' : 'closed'}</span> <span class="badge">${issue.severity}</span></p>
    <div class="actions">${formOf(reply.request, { action: `${incidentUrl}/state` }, stateForm)}</div>
    <dl class="facts">
      <div><dt>Assignee</dt><dd>${row!.assignees.map(({ username }) => `@${username}`).join(', ') || 'none'}</dd></div>
      ${row!.labels.length > 0 && html`<div><dt>Labels</dt><dd>${row!.labels.map(({ name }) => html`<span class="badge">${name}</span> `)}</dd></div>`}
      ${row!.milestone && html`<div><dt>Milestone</dt><dd>${row!.milestone.title}</dd></div>`}
      ${row!.alert_iids.length > 0 && html`<div><dt>Alerts</dt><dd>${row!.alert_iids.map(iid => html`<a href="${projectUrl}/alerts/${iid}">#${iid}</a> `)}</dd></div>`}
    </dl>
    ${issue.description && markdown(issue.description)}
    ${noteHistory(reply.request, notes, `${incidentUrl}/notes`, problem)}`
  )
}
