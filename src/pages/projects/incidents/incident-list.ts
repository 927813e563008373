import type { FastifyInstance } from 'fastify'
import { checkIssuesEnabled } from '../../../issues/find-issue.ts'
import { listIssues } from '../../../issues/list-issues.ts'
import type { IssueRow } from '../../../issues/load-issues.ts'
import { Role } from '../../../projects/members/member.ts'
import { html } from '../../layout/html.ts'
import { ago } from '../../layout/time.ts'
import { requirePerson } from '../../sign-in/require-sign-in.ts'
import { type PageContext, pageContext } from '../page-context.ts'
import { projectPage, tabLink } from '../project-page.ts'

const perPage = 50

/** Incidents, newest first. */
export async function incidentsPage(app: FastifyInstance) {
  app.get<{ Querystring: { state?: string; before?: string } }>(
    '/projects/:id/incidents',
    { onRequest: requirePerson(app) },
    async (request, reply) => {
      const context = await pageContext(request, Role.reporter)

      checkIssuesEnabled(context.project)
      const state = request.query.state === 'closed' ? 'closed' : 'opened'
      const before = Number.parseInt(request.query.before ?? '', 10)
      const { listAfter } = listIssues(context.em, { projectId: context.project.id, issueType: 'incident', state })
      const rows = await listAfter(Number.isSafeInteger(before) ? [before, before] : undefined, perPage + 1)
      const incidents = rows.slice(0, perPage)
      const listUrl = `${context.projectUrl}/incidents?state=`

      return projectPage(
        reply,
        context,
        { title: 'Incidents', tab: 'incidents' },
        html`
        <h1>Incidents</h1>
        <nav class="tabs" aria-label="State">${tabLink(`${listUrl}opened`, 'Open', state === 'opened')}${tabLink(`${listUrl}closed`, 'Closed', state === 'closed')}</nav>
        ${incidents.length > 0 ? html`<ul class="rows">${incidents.map(incident => row(context, incident))}</ul>` : html`<p class="empty">No ${state === 'opened' ? 'open' : 'closed'} incidents.</p>`}
        ${rows.length > perPage && html`<p><a href="${listUrl}${state}&amp;before=${incidents.at(-1)!.iid}">Older incidents</a></p>`}`
      )
    }
  )
}

function row({ projectUrl }: PageContext, { iid, title, severity, created_at: at, assignees }: IssueRow) {
  const hints = [`#${iid}`, assignees.map(({ username }) => `@${username}`).join(', ')].filter(Boolean)

  return html`
    <li><div>
      <p><a href="${projectUrl}/incidents/${iid}"><strong>${title}</strong></a> <span class="badge">${severity}</span></p>
      <p class="hint">${hints.join(' · ')} · opened ${ago(new Date(at), new Date())}</p>
    </div></li>`
}
