import type { FastifyInstance } from 'fastify'
import type { Viewer } from '#identity/viewer.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { visibleGroups } from '#projects/groups/list-groups.ts'
import { namespacesForGroups } from '#projects/offered-namespaces.ts'
import { listTasks } from '#tasks/list-tasks.ts'
import { activityOf } from '../home/activity.ts'
import { myProjects } from '../home/my-projects.ts'
import { field } from '../layout/field.ts'
import { html } from '../layout/html.ts'
import { page } from '../layout/page.ts'
import { namespaceRow } from '../namespaces/deletion-mark.ts'
import { requirePerson } from '../sign-in/require-sign-in.ts'
import { taskSection } from '../tasks/task-section.ts'
import { newProjectButton } from './new-project-button.ts'
import { projectRow } from './project-row.ts'

const maxRows = 100
/** Shorter lists are seen at a glance. */
const minSearched = 8

/** The projects and groups of the user. */
export async function projectsPage(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app) }

  app.get<{ Querystring: { search?: string } }>('/projects', guard, async (request, reply) => {
    const { em, user } = request
    const now = new Date()
    const search = String(request.query.search ?? '')
      .replaceAll('\0', '')
      .trim()
      .slice(0, 255)
    const { projects, monitored, withIncidents } = await myProjects(em, user, { search })
    const activity = await activityOf(em, monitored, withIncidents, now)
    const tasks = await listTasks(em, { author: user.id, projectId: null }, now)

    return page(
      reply,
      { title: 'Projects' },
      html`
      <div class="heading"><h1>Projects</h1>${await newProjectButton(em, user)}</div>
      <p class="lead">Your projects, most active first. Bars are the events of the last 24 hours.</p>
      ${tasks.length > 0 && taskSection(request, { tasks, topic: 'tasks:mine', base: '/-', now })}
      ${(search || projects.length >= minSearched) && searchForm(search)}
      ${
        projects.length > 0
          ? html`<ul class="rows compact">${projects.map(project => projectRow(project, activity(project.id), { hasPath: true }))}</ul>`
          : html`<p class="empty">${search ? 'No projects match this search.' : 'You are not a member of any project yet. Create one, or ask to be added to one.'}</p>`
      }
      ${await groupSection(em, user)}`
    )
  })
}

function searchForm(search: string) {
  return html`
    <form method="get" class="filter">
      ${field({ type: 'search', name: 'search', label: 'Name or path', value: search, attributes: { maxlength: 255 } })}
      <button class="plain">Search</button>
    </form>`
}

async function groupSection(em: EntityManager, user: Viewer) {
  const groups = await (await visibleGroups(em, user, { allAvailable: false })).list(maxRows)
  const { namespaces, refusal } = await namespacesForGroups(em, user, { limit: 1 })
  const isCreator = namespaces.length > 0 || !refusal

  return html`
    <div class="heading"><h2 id="groups">Groups</h2>${isCreator && html`<a class="button plain small" href="/groups/-/new">New group</a>`}</div>
    ${
      groups.length > 0
        ? html`<ul class="rows">${groups.map(({ name, fullPath, markedForDeletionAt }) => namespaceRow(`/groups/${fullPath}`, name, fullPath, markedForDeletionAt))}</ul>`
        : html`<p class="hint">You are not a member of any group.</p>`
    }`
}
