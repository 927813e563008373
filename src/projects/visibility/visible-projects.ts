import type { Viewer } from '../../identity/viewer.ts'
import type { Visibility } from '../../namespaces/namespace.ts'
import type { Conditions } from '../../platform/database/conditions.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import { type Reach, reachOf } from './visible-groups.ts'

/** Which projects somebody sees. */
export interface Sight {
  viewer: Viewer | undefined
  /** What they have roles in, where that counts. */
  reach: Reach | undefined
  /** Only what they have this role in. */
  least: number | undefined
}

export async function sightOf(em: EntityManager, viewer: Viewer | undefined, least: number | undefined): Promise<Sight> {
  const counts = viewer && (least !== undefined || !viewer.isAdmin)

  return { viewer, least, reach: counts ? await reachOf(em, viewer, least) : undefined }
}

/** No project is in two of them. */
export function partsOf(conditions: Conditions, { viewer, reach, least }: Sight) {
  const isOpen = (visibility: Visibility) => `visibility = '${visibility}'`

  if (!viewer) return least === undefined ? [isOpen('public')] : ['false']
  if (!reach) return [isOpen('public'), isOpen('internal'), isOpen('private')]
  const own = [
    conditions.bind('namespace_id = ANY (?::bigint[])', reach.namespaces),
    conditions.bind('id = ANY (?::bigint[]) AND namespace_id <> ALL (?::bigint[])', reach.projects, reach.namespaces)
  ]

  if (least !== undefined) return own
  if (viewer.isExternal) return [isOpen('public'), ...own.map(part => `visibility <> 'public' AND ${part}`)]

  return [isOpen('public'), isOpen('internal'), ...own.map(part => `${isOpen('private')} AND ${part}`)]
}

/** The same in one. It says what is hidden: no index serves that, and the one of all that is public would be read to its end. */
export function wholeOf(conditions: Conditions, { viewer, reach, least }: Sight) {
  const isOpen = (...hidden: Visibility[]) => `visibility <> ALL ('{${hidden}}')`

  if (!viewer) return least === undefined ? isOpen('internal', 'private') : 'false'
  if (!reach) return 'true'
  const own = conditions.bind('(namespace_id = ANY (?::bigint[]) OR id = ANY (?::bigint[]))', reach.namespaces, reach.projects)

  if (least !== undefined) return own

  return `(${viewer.isExternal ? isOpen('internal', 'private') : isOpen('private')} OR ${own})`
}
