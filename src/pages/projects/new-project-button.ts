import type { Viewer } from '#identity/viewer.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { namespacesForProjects } from '#projects/offered-namespaces.ts'
import { html } from '../layout/html.ts'

/** A link to the form for those who may create a project somewhere; for others, why they may not. */
export async function newProjectButton(em: EntityManager, user: Viewer) {
  const { namespaces, refusal } = await namespacesForProjects(em, user, { limit: 1 })

  return namespaces.length > 0 ? html`<a class="button" href="/projects/new">New project</a>` : html`<span class="hint">${refusal}</span>`
}
