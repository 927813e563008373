import type { FastifyInstance } from 'fastify'
import type { Viewer } from '#identity/viewer.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { visibleGroups } from '#projects/groups/list-groups.ts'
import { Role } from '#projects/members/member.ts'
import { namespacesForGroups } from '#projects/offered-namespaces.ts'
import { visibleProjects } from '#projects/visibility/visible-projects.ts'
import { listTasks } from '#tasks/list-tasks.ts'
import { html } from '../layout/html.ts'
import { page } from '../layout/page.ts'
import { namespaceRow } from '../namespaces/deletion-mark.ts'
import { requirePerson } from '../sign-in/require-sign-in.ts'
import { taskSection } from '../tasks/task-section.ts'
import { newProjectButton } from './new-project-button.ts'

const maxRows = 100

/** The projects and groups of the user. */
export async function projectsPage(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app) }

  app.get('/projects', guard, async (request, reply) => {
    const { em, user } = request
    const now = new Date()
    const { list } = await visibleProjects(em, user, { minRole: Role.guest, orderBy: 'last_activity_at' })
    const projects = await list(maxRows, 0)
    const tasks = await listTasks(em, { author: user.id, projectId: null }, now)

    return page(
      reply,
      { title: 'Projects' },
      html`
      <div class="heading"><h1>Projects</h1>${await newProjectButton(em, user)}</div>
      <p class="lead">Your projects, most active first.</p>
      ${tasks.length > 0 && taskSection(request, { tasks, topic: 'tasks:mine', base: '/-', now })}
      ${
        projects.length > 0
          ? html`<ul class="rows">${projects.map(project => namespaceRow(`/projects/${project.id}`, project.name, project.full_path, project.marked_for_deletion_at))}</ul>`
          : html`<p class="empty">You are not a member of any project yet. Create one, or ask to be added to one.</p>`
      }
      ${await groupSection(em, user)}`
    )
  })
}

async function groupSection(em: EntityManager, user: Viewer) {
  const groups = await (await visibleGroups(em, user, { allAvailable: false })).list(maxRows)
  const { namespaces, refusal } = await namespacesForGroups(em, user, { limit: 1 })
  const isCreator = namespaces.length > 0 || !refusal

  return html`
    <div class="heading"><h2>Groups</h2>${isCreator && html`<a class="button plain small" href="/groups/-/new">New group</a>`}</div>
    ${
      groups.length > 0
        ? html`<ul class="rows">${groups.map(({ name, fullPath, markedForDeletionAt }) => namespaceRow(`/groups/${fullPath}`, name, fullPath, markedForDeletionAt))}</ul>`
        : html`<p class="hint">You are not a member of any group.</p>`
    }`
}
