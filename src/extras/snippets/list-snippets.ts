import type { FilterQuery } from '@mikro-orm/core'
import type { Viewer } from '#identity/viewer.ts'
import type { EntityManager } from '#platform/database/database.ts'
import type { Rows } from '#platform/database/list.ts'
import { entityRows } from '#platform/database/list.ts'
import { effectiveRole, type Roles } from '#projects/members/roles.ts'
import type { Project } from '#projects/project.ts'
import { Snippet } from '#snippets/snippet.ts'

/** Newest first. */
export function listSnippets(em: EntityManager, where: FilterQuery<Snippet>, created: { after?: Date; before?: Date } = {}): Rows<Snippet> {
  const { after, before } = created
  const filter = {
    $and: [where, ...(after ? [{ createdAt: { $gt: after } }] : []), ...(before ? [{ createdAt: { $lt: before } }] : [])]
  } as FilterQuery<Snippet>

  return entityRows(em, Snippet, filter, { orderBy: { id: 'desc' }, populate: ['author'] })
}

/** Members see all snippets of a project, other users only those that are open to them. */
export function inProject({ id }: Project, viewer: Viewer | undefined, roles: Roles): FilterQuery<Snippet> {
  if (effectiveRole(viewer, roles) > 0) return { projectId: id }
  const isOpen = viewer && !viewer.isExternal ? (['public', 'internal'] as const) : (['public'] as const)

  return { projectId: id, $or: [{ visibility: { $in: [...isOpen] } }, ...(viewer ? [{ author: viewer.id }] : [])] }
}
