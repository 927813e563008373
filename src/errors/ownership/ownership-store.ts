import { type EntityManager, query } from '#platform/database/database.ts'

/** The rules of a project, and whether new errors are assigned by them. */
export interface Ownership {
  rules: string
  autoAssigns: boolean
  /** Null before the first change. */
  updatedAt: Date | null
}

export async function findOwnership(em: EntityManager, projectId: number): Promise<Ownership> {
  const [row] = await query<Ownership>(
    em,
    'SELECT rules, auto_assigns AS "autoAssigns", updated_at AS "updatedAt" FROM error_ownership WHERE project_id = $1',
    [projectId]
  )

  return row ?? { rules: '', autoAssigns: true, updatedAt: null }
}

export async function saveOwnership(
  em: EntityManager,
  projectId: number,
  { rules, autoAssigns, updatedAt }: Ownership & { updatedAt: Date }
) {
  await query(
    em,
    `INSERT INTO error_ownership (project_id, rules, auto_assigns, updated_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (project_id) DO UPDATE SET rules = $2, auto_assigns = $3, updated_at = $4`,
    [projectId, rules, autoAssigns, updatedAt.toISOString()]
  )
}
