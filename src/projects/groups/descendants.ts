import { isNamespaceWithin } from '#namespaces/namespace.ts'
import type { EntityManager, Tables } from '#platform/database/database.ts'

/** The ids of a group and of all groups in it. */
export async function descendantIds(em: EntityManager, group: { id: number }) {
  const db = em.getKysely<Tables>()
  const rows = await db.selectFrom('namespaces').select('id').where(isNamespaceWithin(group.id)).execute()

  return rows.map(({ id }) => id)
}
