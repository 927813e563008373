import type { Actor } from '#audit/record-audit-event.ts'
import type { Config } from '#config.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { lockRow } from '#platform/database/locks.ts'
import type { Project } from '#projects/project.ts'
import { createClientKey } from './change-client-keys.ts'
import { changeSetting } from './change-setting.ts'
import { ClientKey } from './client-key.ts'
import { ErrorSetting } from './error-setting.ts'

/** Accepts errors and makes the first client key. Starting twice makes no second key. */
export async function startTracking(em: EntityManager, config: Config, project: Project, by: Actor) {
  const setting = await em.findOne(ErrorSetting, { projectId: project.id })

  if (!setting?.active) await changeSetting(em, config, { project, setting }, { active: true, integrated: true }, by)
  await em.transactional(async em => {
    await lockRow(em, 'projects', project.id)
    if ((await em.count(ClientKey, { projectId: project.id, active: true })) === 0) await createClientKey(em, project, {}, by)
  })
}
