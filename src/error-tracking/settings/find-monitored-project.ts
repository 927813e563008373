import { NotFound } from '../../http/problems/problems.ts'
import type { Viewer } from '../../identity/viewer.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import { findProject } from '../../projects/find-project.ts'

/** A project for somebody with this role in it, as long as it has monitoring turned on: without, there is nothing of error tracking. */
export async function findMonitored(em: EntityManager, viewer: Viewer, idOrPath: string, least: number) {
  const project = await findProject(em, viewer, idOrPath, least)

  if (project.monitoringAccessLevel === 'disabled') throw new NotFound()

  return project
}
