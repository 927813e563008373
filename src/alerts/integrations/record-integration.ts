import { type Actor, recordAuditEvent } from '#audit/record-audit-event.ts'
import type { Config } from '#config.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { lockRow } from '#platform/database/locks.ts'
import type { Project } from '#projects/project.ts'
import { invalidateIntegrations } from './create-integration.ts'
import type { Integration } from './integration.ts'

/** Who changes the alert configuration of a project. */
export interface AlertAdmin {
  config: Config
  project: Project
  actor: Actor
}

/** Changes integrations or alert settings under a lock on the project, and invalidates the intake's cache. */
export async function changeAlertConfig<T>(em: EntityManager, { config, project }: AlertAdmin, change: (em: EntityManager) => Promise<T>) {
  return em.transactional(async em => {
    await lockRow(em, 'projects', project.id)
    const result = await change(em)

    await invalidateIntegrations(em, config)

    return result
  })
}

export function recordIntegration(
  em: EntityManager,
  { project, actor }: AlertAdmin,
  { id, name }: Integration,
  event: { name: string; details?: Record<string, unknown> }
) {
  recordAuditEvent(em, actor, { ...event, entity: project.audited(), target: { type: 'AlertIntegration', id, details: name } })
}
