import { type Actor, record } from '../../audit/record-audit-event.ts'
import type { Namespace } from '../../namespaces/namespace.ts'
import { type EntityManager, query } from '../../platform/database/database.ts'
import type { Project } from '../project.ts'
import { type DeletionDeps, enqueuePurge, invalidateKeys } from './purge-project.ts'

export async function deleteProject(em: EntityManager, deps: DeletionDeps, project: Project, by: Actor) {
  await em.transactional(async em => {
    record(em, by, { name: 'project_deleted', entity: project.audited() })
    await invalidateKeys(em, deps, [project.id])
    await query(em, 'DELETE FROM projects WHERE id = $1', [project.id])
  })
  await enqueuePurge(deps, [project.id])
}

/** Deletes a group with its subgroups and projects. */
export async function deleteGroup(em: EntityManager, deps: DeletionDeps, group: Namespace, by: Actor) {
  const projectIds = await em.transactional(async em => {
    const rows = await query<{ id: string }>(
      em,
      'SELECT id FROM projects WHERE namespace_id IN (SELECT id FROM namespaces WHERE lineage @> ARRAY[$1::bigint])',
      [group.id]
    )
    const projectIds = rows.map(({ id }) => Number(id))

    record(em, by, { name: 'group_deleted', entity: group.audited(), details: { projects: projectIds.length } })
    await invalidateKeys(em, deps, projectIds)
    await query(em, 'DELETE FROM namespaces WHERE id = $1', [group.id])

    return projectIds
  })

  await enqueuePurge(deps, projectIds)
}
