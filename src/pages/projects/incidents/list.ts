import type { FastifyInstance } from 'fastify'
import type { ShownIssue } from '../../../issues/issue-row.ts'
import { projectIssues } from '../../../issues/list-issues.ts'
import { Role } from '../../../projects/members/member.ts'
import { html } from '../../layout/html.ts'
import { ago } from '../../layout/time.ts'
import { requirePerson } from '../../sign-in/require-sign-in.ts'
import { type Visit, visitOf } from '../page-context.ts'
import { projectPage, tabLink } from '../project-page.ts'

const perPage = 50

/** What failed and is, or was, worked on; the newest first. */
export async function incidentsPage(app: FastifyInstance) {
  app.get<{ Querystring: { state?: string; before?: string } }>(
    '/projects/:id/incidents',
    { onRequest: requirePerson(app) },
    async (request, reply) => {
      const visit = await visitOf(request, Role.reporter)
      const state = request.query.state === 'closed' ? 'closed' : 'opened'
      const before = Number.parseInt(request.query.before ?? '', 10)
      const { listAfter } = projectIssues(visit.em, { projectId: visit.project.id, issueType: 'incident', state })
      const found = await listAfter(Number.isSafeInteger(before) ? [before, before] : undefined, perPage + 1)
      const incidents = found.slice(0, perPage)
      const home = `${visit.root}/incidents?state=`

      return projectPage(
        reply,
        visit,
        { title: 'Incidents', tab: 'incidents' },
        html`
        <h1>Incidents</h1>
        <nav class="tabs" aria-label="State">${tabLink(`${home}opened`, 'Open', state === 'opened')}${tabLink(`${home}closed`, 'Closed', state === 'closed')}</nav>
        ${incidents.length > 0 ? html`<ul class="rows">${incidents.map(incident => row(visit, incident))}</ul>` : html`<p class="empty">There are none of these.</p>`}
        ${found.length > perPage && html`<p><a href="${home}${state}&amp;before=${incidents.at(-1)!.iid}">Older ones</a></p>`}`
      )
    }
  )
}

function row({ root }: Visit, { iid, title, severity, created_at: at, assignees }: ShownIssue) {
  const facts = [`#${iid}`, assignees.map(({ username }) => `@${username}`).join(', ')].filter(Boolean)

  return html`
    <li><div>
      <p><a href="${root}/incidents/${iid}"><strong>${title}</strong></a> <span class="badge">${severity}</span></p>
      <p class="hint">${facts.join(' · ')} · opened ${ago(new Date(at), new Date())}</p>
    </div></li>`
}
