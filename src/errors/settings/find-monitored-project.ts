import type { Viewer } from '#identity/viewer.ts'
import { NotFound } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { findProject } from '#projects/find-project.ts'

/** Projects with monitoring disabled have no error tracking. */
export async function findMonitoredProject(em: EntityManager, viewer: Viewer, idOrPath: string, minRole: number) {
  const project = await findProject(em, viewer, idOrPath, minRole)

  if (project.monitoringAccessLevel === 'disabled') throw new NotFound()

  return project
}
