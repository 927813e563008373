import { type Actor, record } from '../audit/record-audit-event.ts'
import type { Config } from '../config.ts'
import { announce } from '../platform/cache/invalidate-cache.ts'
import { type EntityManager, query } from '../platform/database/database.ts'
import type { Namespace } from './groups/namespace.ts'
import type { Project } from './project.ts'

/** Removes a project with all that refers to it. Tells whose remains are to be purged. */
export async function removeProject(em: EntityManager, config: Config, project: Project, by: Actor) {
  await em.transactional(async em => {
    record(em, by, { name: 'project_deleted', entity: project.audited() })
    await forgetKeys(em, config, [project.id])
    await query(em, 'DELETE FROM projects WHERE id = $1', [project.id])
  })

  return [project.id]
}

/** The same for a group, with the groups and projects in it. */
export async function removeGroup(em: EntityManager, config: Config, group: Namespace, by: Actor) {
  return em.transactional(async em => {
    const rows = await query<{ id: string }>(
      em,
      'SELECT id FROM projects WHERE namespace_id IN (SELECT id FROM namespaces WHERE lineage @> ARRAY[$1::bigint])',
      [group.id]
    )
    const projectIds = rows.map(({ id }) => Number(id))

    record(em, by, { name: 'group_deleted', entity: group.audited(), details: { projects: projectIds.length } })
    await forgetKeys(em, config, projectIds)
    await query(em, 'DELETE FROM namespaces WHERE id = $1', [group.id])

    return projectIds
  })
}

/** The door remembers keys for a while: what they opened is gone. */
async function forgetKeys(em: EntityManager, config: Config, projectIds: number[]) {
  const keys = await query<{ public_key: string }>(em, 'SELECT public_key FROM client_keys WHERE project_id = ANY ($1::bigint[])', [
    projectIds
  ])

  for (const { public_key: key } of keys) await announce(em, config, 'client-key', key)
  await announce(em, config, 'alert-integration')
}
