import { NotFound, Problem } from '../http/problems/problems.ts'
import type { Viewer } from '../identity/viewer.ts'
import type { EntityManager } from '../platform/database/database.ts'
import { findProject } from '../projects/find-project.ts'
import { Role } from '../projects/members/member.ts'
import { Alert } from './alert.ts'

/** A project for somebody who may see its alerts: developers, as long as it has monitoring turned on. */
export async function findAlerted(em: EntityManager, viewer: Viewer, idOrPath: string, least: number = Role.developer) {
  const project = await findProject(em, viewer, idOrPath, least)

  if (project.monitoringAccessLevel === 'disabled') throw new NotFound()

  return project
}

/** An alert of such a project, with the project. */
export async function findAlert(em: EntityManager, viewer: Viewer, { id, alert_iid: iid }: { id: string; alert_iid: number }) {
  const project = await findAlerted(em, viewer, id)
  const alert = await em.findOne(Alert, { projectId: project.id, iid })

  if (!alert) throw new Problem(404, { message: 'Alert not found' })

  return { project, alert }
}
