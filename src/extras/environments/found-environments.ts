import { sql } from 'kysely'
import type { EntityManager, Tables } from '#platform/database/database.ts'
import { describeEnvironment } from './environment.ts'

/** Limits what senders of errors can add to a project: they choose the names. */
const maxEnvironments = 500

/** Adds environments that errors named. Those that exist or were deleted stay as they are. */
export async function addFoundEnvironments(em: EntityManager, projectId: number, names: string[]) {
  const db = em.getKysely<Tables>()
  const rows = await db.selectFrom('environments').select('name').where('project_id', '=', projectId).execute()
  const existing = new Set(rows.map(({ name }) => name))
  const added = names.filter(name => !existing.has(name)).slice(0, Math.max(0, maxEnvironments - existing.size))

  if (added.length === 0) return
  await db
    .insertInto('environments')
    .values(added.map(name => ({ project_id: projectId, ...describeEnvironment(name) })) as never)
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

/** A deploy makes an environment available, also one that was stopped or deleted. */
export async function startEnvironment(em: EntityManager, projectIds: number[], name: string) {
  await em
    .getKysely<Tables>()
    .insertInto('environments')
    .values(projectIds.toSorted((a, b) => a - b).map(id => ({ project_id: id, ...describeEnvironment(name) })) as never)
    .onConflict(conflict =>
      conflict
        .columns(['project_id', 'name'])
        .doUpdateSet({ state: 'available', deleted_at: null, updated_at: sql`greatest(now(), environments.updated_at)` })
        .where(e => e.or([e('environments.state', '<>', 'available'), e('environments.deleted_at', 'is not', null)]))
    )
    .execute()
}
