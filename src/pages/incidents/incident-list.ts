import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { findIssueProject } from '#issues/find-issue.ts'
import type { IssueType } from '#issues/issue.ts'
import { listLabels } from '#projects/labels/list-labels.ts'
import { Role } from '#projects/members/member.ts'
import { findMemberSource } from '#projects/members/member-source.ts'
import { myProjects } from '../home/my-projects.ts'
import { html } from '../layout/html.ts'
import { page } from '../layout/page.ts'
import { pageContext } from '../projects/page-context.ts'
import { projectPage } from '../projects/project-page.ts'
import { requirePerson } from '../sign-in/require-sign-in.ts'
import { issueList } from './issue-list.ts'

const maxLabels = 200

/** The incidents of a project and of all projects of a user, and the ordinary issues of a project. */
export async function incidentsPage(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app) }

  for (const type of ['incident', 'issue'] as const) {
    app.get(`/projects/:id/${type}s`, guard, async (request, reply) => showProject(request, reply, type))
  }
  app.get('/incidents', guard, showAll)
}

async function showProject(request: FastifyRequest, reply: FastifyReply, type: IssueType) {
  const context = await pageContext(request, Role.guest)
  const { em, project, projectUrl } = context

  await findIssueProject(em, request.user, String(project.id))
  const labels = await listLabels(em, await findMemberSource(em, request.user, 'projects', String(project.id)), request.user, {}).list(
    maxLabels
  )
  const create = html`<a class="button" href="${projectUrl}/${type}s/new">New ${type}</a>`
  const empty = html`<div class="empty"><p>${type === 'incident' ? 'No open incidents. Alerts open them, or you can open one.' : 'No open issues.'}</p><p>${create}</p></div>`

  return projectPage(
    reply,
    context,
    { title: type === 'incident' ? 'Incidents' : 'Issues', tab: `${type}s` },
    html`
    <div class="heading"><h1>${type === 'incident' ? 'Incidents' : 'Issues'}</h1>${create}</div>
    ${await issueList(request, { em, type, path: `${projectUrl}/${type}s`, projectIds: [project.id], topic: `issues:${project.id}`, labels: labels.map(({ name }) => name), empty })}`
  )
}

async function showAll(request: FastifyRequest, reply: FastifyReply) {
  const { withIncidents: projectIds, nameOf } = await myProjects(request.em, request.user)
  const empty = html`<div class="empty"><p>No open incidents in your projects.</p><p><a class="button" href="/projects">Your projects</a></p></div>`

  return page(
    reply,
    { title: 'Incidents' },
    html`
    <h1>Incidents</h1>
    <p class="lead">In all your projects.</p>
    ${await issueList(request, { em: request.em, type: 'incident', path: '/incidents', projectIds, topic: 'issues:mine', nameOf, labels: [], empty })}`
  )
}
