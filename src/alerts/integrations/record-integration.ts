import { type Actor, record } from '../../audit/record-audit-event.ts'
import type { Config } from '../../config.ts'
import { type EntityManager, query } from '../../platform/database/database.ts'
import type { Project } from '../../projects/project.ts'
import { invalidateIntegrations } from './create-integration.ts'
import type { Integration } from './integration.ts'

/** Somebody who decides where a project's alerts come from, and what becomes of them. */
export interface AlertAdmin {
  config: Config
  project: Project
  actor: Actor
}

/** Changes a project's integrations, or what it wants of its alerts: one at a time, and every door hears of it. */
export async function changeAlertConfig<T>(em: EntityManager, { config, project }: AlertAdmin, change: (em: EntityManager) => Promise<T>) {
  return em.transactional(async em => {
    await query(em, 'SELECT FROM projects WHERE id = $1 FOR NO KEY UPDATE', [project.id])
    const changed = await change(em)

    await invalidateIntegrations(em, config)

    return changed
  })
}

export function recordIntegration(
  em: EntityManager,
  { project, actor }: AlertAdmin,
  { id, name }: Integration,
  deed: { name: string; details?: Record<string, unknown> }
) {
  record(em, actor, { ...deed, entity: project.audited(), target: { type: 'AlertIntegration', id, details: name } })
}
