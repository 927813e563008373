import type { Viewer } from '#identity/viewer.ts'
import { NotFound } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { findProject } from '#projects/find-project.ts'
import { Role } from '#projects/members/member.ts'
import { Alert } from './alert.ts'

/** Alerts are visible to developers and above, in projects with monitoring enabled. */
export async function findMonitoredProject(em: EntityManager, viewer: Viewer, idOrPath: string) {
  const project = await findProject(em, viewer, idOrPath, Role.developer)

  if (project.monitoringAccessLevel === 'disabled') throw new NotFound()

  return project
}

export async function findAlert(em: EntityManager, viewer: Viewer, { id, alert_iid: iid }: { id: string; alert_iid: number }) {
  const project = await findMonitoredProject(em, viewer, id)
  const alert = await em.findOne(Alert, { projectId: project.id, iid })

  if (!alert) throw new AlertNotFound()

  return { project, alert }
}

class AlertNotFound extends NotFound {
  override code = 'alert_not_found'
  override isSentence = true
  override message = 'Alert not found'
}
