import { type Actor, record } from '../audit/record.ts'
import { ValidationFailed } from '../http/problems.ts'
import { type EntityManager, query } from '../platform/database.ts'
import { renameNamespace } from './move.ts'
import type { Namespace, Visibility } from './namespace.ts'
import { change } from './update.ts'

export interface GroupChanges {
  name?: string
  path?: string
  description?: string | null
  visibility?: Visibility
}

export async function updateGroup(em: EntityManager, group: Namespace, { path, visibility, name, description }: GroupChanges, by: Actor) {
  const { fullPath: from, visibility: before } = group

  await em.transactional(async em => {
    if (path !== undefined && path !== group.path) {
      await renameNamespace(em, group, path)
      record(em, by, { name: 'group_renamed', entity: group.audited(), details: change('path', from, group.fullPath) })
    }
    if (visibility && visibility !== before) {
      await checkVisibility(em, group, visibility)
      group.visibility = visibility
      record(em, by, { name: 'group_visibility_changed', entity: group.audited(), details: change('visibility', before, visibility) })
    }
    if (name !== undefined) group.name = name
    if (description !== undefined) group.description = description ?? ''
  })
}

/** Between that of the group it lies in and that of whatever lies in it. */
async function checkVisibility(em: EntityManager, group: Namespace, wanted: Visibility) {
  await em.populate(group, ['parent'])
  group.parent?.checkVisibility(wanted)
  if (wanted === 'public') return

  const wider = wanted === 'private' ? ['internal', 'public'] : ['public']
  const [found] = await query(
    em,
    `WITH inside AS (SELECT id, visibility FROM namespaces WHERE lineage @> ARRAY[$1::bigint])
     SELECT FROM inside WHERE id <> $1 AND visibility = ANY ($2)
     UNION ALL
     SELECT FROM projects WHERE namespace_id IN (SELECT id FROM inside) AND visibility = ANY ($2) LIMIT 1`,
    [group.id, wider]
  )

  if (found) {
    throw new ValidationFailed({ visibility_level: [`${wanted} is not allowed since this group contains what more people may see.`] })
  }
}
