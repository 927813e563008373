import type { Loaded } from '@mikro-orm/core'
import type { Viewer } from '#identity/viewer.ts'
import { Forbidden, NotFound } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { findProjectAndRoles } from '#projects/find-project.ts'
import { Role } from '#projects/members/member.ts'
import { effectiveRole } from '#projects/members/roles.ts'
import type { Project } from '#projects/project.ts'
import { isVisibleToNonMembers } from '#projects/visibility/is-visible-to-non-members.ts'
import { Snippet } from '#snippets/snippet.ts'

export interface Found {
  snippet: Loaded<Snippet, 'author'>
  /** Undefined for a snippet of a user. */
  project: Project | undefined
  /** Whether the viewer may change and delete it. */
  canChange: boolean
}

/** A snippet that the viewer sees: of a user, or of the project whose id or path is given. */
export async function findSnippet(em: EntityManager, viewer: Viewer | undefined, id: number, projectId?: string): Promise<Found> {
  const { project, role } = await findProjectAndRole(em, viewer, projectId)
  const snippet = await em.findOne(Snippet, { id, projectId: project?.id ?? null }, { populate: ['author'] })

  if (!snippet) throw new NotFound('Snippet')
  const isAuthor = viewer !== undefined && snippet.author.id === viewer.id
  const isVisible = isAuthor || viewer?.isAdmin || role > 0 || isVisibleToNonMembers(viewer, snippet.visibility)

  if (!isVisible) throw new NotFound('Snippet')
  const canChange = viewer?.isAdmin || (project ? role >= Role.maintainer || (isAuthor && role >= Role.reporter) : isAuthor)

  return { snippet, project, canChange }
}

/** A snippet that the viewer sees, of a user or of any project. */
export async function findAnySnippet(em: EntityManager, viewer: Viewer | undefined, id: number) {
  const row = await em.findOne(Snippet, { id }, { fields: ['projectId'] })

  if (!row) throw new NotFound('Snippet')

  try {
    return await findSnippet(em.fork(), viewer, id, row.projectId == null ? undefined : String(row.projectId))
  } catch (error) {
    // Users who do not see the project do not learn that it has one.
    throw error instanceof NotFound ? new NotFound('Snippet') : error
  }
}

/** As `findSnippet`, for users who may change it. */
export async function findOwnSnippet(em: EntityManager, viewer: Viewer, id: number, projectId?: string) {
  const found = await findSnippet(em, viewer, id, projectId)

  if (!found.canChange) throw new Forbidden()

  return found
}

async function findProjectAndRole(em: EntityManager, viewer: Viewer | undefined, projectId: string | undefined) {
  if (projectId === undefined) return { project: undefined, role: 0 }
  const { project, roles } = await findProjectAndRoles(em, viewer, projectId)

  return { project, role: effectiveRole(viewer, roles) }
}
