import type { FastifyReply, FastifyRequest } from 'fastify'
import { findMonitoredProject } from '#alerts/find-alert.ts'
import { myProjects } from '#pages/home/my-projects.ts'
import { type Html, html } from '#pages/layout/html.ts'
import { page } from '#pages/layout/page.ts'
import { pageContext } from '#pages/projects/page-context.ts'
import { projectPage } from '#pages/projects/project-page.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { Role } from '#projects/members/member.ts'

/** The projects whose alerts a list shows. */
export interface ListScope {
  em: EntityManager
  /** The path of the list. */
  path: string
  projectIds: number[]
  /** What its live parts are told of. */
  topic: string
  /** Names by id, in a list over several projects. */
  projects?: Map<number, string>
  show: (reply: FastifyReply, content: Html) => FastifyReply
}

export async function projectScope(request: FastifyRequest): Promise<ListScope> {
  const context = await pageContext(request, Role.developer)
  const { em, project, projectUrl } = context

  await findMonitoredProject(em, request.user, String(project.id))

  return {
    em,
    path: `${projectUrl}/alerts`,
    projectIds: [project.id],
    topic: `alerts:${project.id}`,
    show: (reply, content) => projectPage(reply, context, { title: 'Alerts', tab: 'alerts' }, html`<h1>Alerts</h1>${content}`)
  }
}

/** All projects in which the user may see alerts and change them: archived ones are left out. */
export async function allProjectsScope(request: FastifyRequest): Promise<ListScope> {
  const { monitored, nameOf } = await myProjects(request.em, request.user)

  return {
    em: request.em,
    path: '/alerts',
    projectIds: monitored,
    topic: 'alerts:mine',
    projects: new Map(monitored.map(id => [id, nameOf(id)])),
    show: (reply, content) => page(reply, { title: 'Alerts' }, html`<h1>Alerts</h1>${content}`)
  }
}
