import type { Visibility } from '../namespaces/namespace.ts'
import { type EntityManager, query } from '../platform/database/database.ts'
import type { PersonLike } from './present-project.ts'
import type { MonitoringAccess } from './project.ts'

/** All that is shown of a project, as the database tells it. */
export interface ShownProject {
  id: number
  name: string
  path: string
  full_path: string
  description: string | null
  visibility: Visibility
  is_archived: boolean
  repository_storage: string
  default_branch: string
  topics: string[]
  monitoring_access_level: MonitoringAccess
  created_at: string
  updated_at: string
  last_activity_at: string
  creator_id: number | null
  namespace: ShownNamespace
  /** In whose own space it lies. */
  owner: PersonLike | null
}

export interface ShownNamespace {
  id: number
  kind: 'user' | 'group'
  name: string
  path: string
  full_path: string
  parent_id: number | null
  /** The names on the way down to it: `Company / Team`. */
  full_name: string
}

const own = `id name path full_path description visibility is_archived repository_storage default_branch topics
  monitoring_access_level created_at updated_at last_activity_at creator_id`.split(/\s+/)

/** Of a project `p` in a namespace `n`. */
export const shownProject = `json_build_object(${own.map(column => `'${column}', p.${column}`)},
  'namespace', json_build_object('id', n.id, 'kind', n.kind, 'name', n.name, 'path', n.path, 'full_path', n.full_path, 'parent_id', n.parent_id,
    'full_name', (SELECT string_agg(above.name, ' / ' ORDER BY cardinality(above.lineage))
                  FROM namespaces above WHERE above.id = ANY (n.lineage))),
  'owner', (SELECT json_build_object('id', o.id, 'username', o.username, 'name', o.name, 'state', o.state)
            FROM users o WHERE o.id = n.owner_id))`

/** A statement that shows the projects of the ids in `wanted`, a source of rows: each with the namespace that it lies in. */
export function showing(wanted: string) {
  return `SELECT ${shownProject} AS shown FROM ${wanted} AS wanted JOIN projects p USING (id) JOIN namespaces n ON n.id = p.namespace_id`
}

export async function readShown(em: EntityManager, id: number) {
  const [row] = await query<{ shown: ShownProject }>(em, showing('(SELECT $1::bigint AS id)'), [id])

  return row!.shown
}
