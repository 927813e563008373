import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { callerOf } from '../../../identity/identify.ts'
import { changeIssue } from '../../../issues/change-issue.ts'
import { findIssue } from '../../../issues/find-issue.ts'
import type { Issue } from '../../../issues/issue.ts'
import { sayOf } from '../../../issues/issue-permissions.ts'
import { readShown } from '../../../issues/issue-row.ts'
import { issueNotes } from '../../../issues/list-notes.ts'
import { Role } from '../../../projects/members/member.ts'
import { formOf } from '../../layout/field.ts'
import { textOf } from '../../layout/forms.ts'
import { html } from '../../layout/html.ts'
import { requirePerson } from '../../sign-in/require-sign-in.ts'
import { said } from '../alerts/actions.ts'
import { history, marked } from '../note-history.ts'
import { type Visit, visitOf } from '../page-context.ts'
import { projectPage } from '../project-page.ts'

const path = '/projects/:id/incidents/:iid'

interface IncidentVisit extends Visit {
  issue: Issue
  home: string
}

/** An incident, and what those who work on it do. */
export async function incidentPage(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app) }

  app.get(path, guard, async (request, reply) => show(reply, await incidentVisitOf(request)))

  app.post(`${path}/state`, guard, async (request, reply) => {
    const { em, issue, home } = await incidentVisitOf(request)
    const stateEvent = textOf(request, 'state_event') === 'reopen' ? 'reopen' : 'close'

    await changeIssue(em, issue, { stateEvent }, callerOf(request).id, new Date())

    return reply.redirect(home, 303)
  })

  app.post(`${path}/notes`, guard, async (request, reply) => {
    const visit = await incidentVisitOf(request)
    const body = said(request)

    if (body === '') return show(reply.code(400), visit, 'Say something first.')
    await sayOf(visit.em, visit.issue, callerOf(request).id, body)

    return reply.redirect(visit.home, 303)
  })
}

async function incidentVisitOf(request: FastifyRequest): Promise<IncidentVisit> {
  const visit = await visitOf(request, Role.reporter)
  const iid = Number((request.params as { iid: string }).iid)
  const { issue } = await findIssue(visit.em, callerOf(request), {
    id: String(visit.project.id),
    issue_iid: Number.isSafeInteger(iid) ? iid : 0
  })

  return { ...visit, issue, home: `${visit.root}/incidents/${issue.iid}` }
}

async function show(reply: FastifyReply, visit: IncidentVisit, problem?: string) {
  const { em, issue, root, home } = visit
  const [shown] = await readShown(em, [issue.id])
  const lines = (await issueNotes(em, issue.id, { sort: 'desc' }).list(100)).reverse()
  const isOpen = issue.state === 'opened'
  const change = html`<input type="hidden" name="state_event" value="${isOpen ? 'close' : 'reopen'}"><button class="plain">${isOpen ? 'Close' : 'Open again'}</button>`

  return projectPage(
    reply,
    visit,
    { title: issue.title, tab: 'incidents' },
    html`
    <h1>${issue.title}</h1>
    <p class="lead">#${issue.iid} <span class="${isOpen ? 'badge' : 'badge good'}">${isOpen ? 'open' : 'closed'}</span> <span class="badge">${issue.severity}</span></p>
    <div class="doings">${formOf(reply.request, { action: `${home}/state` }, change)}</div>
    <dl class="facts">
      <div><dt>Worked on by</dt><dd>${shown!.assignees.map(({ username }) => `@${username}`).join(', ') || 'nobody'}</dd></div>
      ${shown!.alert_iids.length > 0 && html`<div><dt>Alerts</dt><dd>${shown!.alert_iids.map(iid => html`<a href="${root}/alerts/${iid}">#${iid}</a> `)}</dd></div>`}
    </dl>
    ${issue.description && html`<div class="said">${marked(issue.description)}</div>`}
    ${history(reply.request, lines, `${home}/notes`, problem)}`
  )
}
