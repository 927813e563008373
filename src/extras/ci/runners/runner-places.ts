import type { FilterQuery } from '@mikro-orm/core'
import type { Viewer } from '#identity/viewer.ts'
import { Namespace } from '#namespaces/namespace.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { Project } from '#projects/project.ts'
import { membershipsOf } from '#projects/visibility/membership-store.ts'
import type { Runner } from './runner.ts'
import { projectIdsOf } from './runner-store.ts'

/** The projects and the group of a runner that the viewer is a member of. */
export async function placesOf(em: EntityManager, viewer: Viewer, runner: Runner) {
  const ids = await projectIdsOf(em, runner.id)
  const groups = runner.groupId == null ? [] : await em.find(Namespace, { id: runner.groupId } as FilterQuery<Namespace>)

  if (viewer.isAdmin) return { projects: await findProjects(em, ids), groups }
  const { namespaces, projects } = await membershipsOf(em, viewer)
  const isMember = new Set(projects)
  const isWithin = new Set(namespaces)
  const isKnown = ({ id, namespace }: Project) => isMember.has(id) || isWithin.has(namespace.id)

  return { projects: (await findProjects(em, ids)).filter(isKnown), groups: groups.filter(({ id }) => isWithin.has(id)) }
}

async function findProjects(em: EntityManager, ids: number[]) {
  return ids.length > 0 ? em.find(Project, { id: { $in: ids } } as FilterQuery<Project>, { orderBy: { id: 'asc' } }) : []
}
