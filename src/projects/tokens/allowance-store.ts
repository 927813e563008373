import { type EntityManager, query } from '#platform/database/database.ts'

/** Whether a project allows the jobs of another one, or of a group that that is in. */
export async function allowsJobsOf(em: EntityManager, projectId: number, fromProjectId: number) {
  const [row] = await query(
    em,
    `SELECT 1 FROM job_token_allowances WHERE project_id = $1 AND (allowed_project_id = $2 OR allowed_group_id = ANY (
       SELECT unnest(n.lineage) FROM projects f JOIN namespaces n ON n.id = f.namespace_id WHERE f.id = $2))`,
    [projectId, fromProjectId]
  )

  return row !== undefined
}

/** Whether a project keeps the tokens of its jobs from reaching others. */
export async function limitsReach(em: EntityManager, projectId: number) {
  return (await query(em, 'SELECT 1 FROM projects WHERE id = $1 AND limits_job_token_reach', [projectId])).length > 0
}

export type Allowed = { projectId: number } | { groupId: number }

/** False when it is allowed already. */
export async function addAllowance(em: EntityManager, projectId: number, allowed: Allowed) {
  const added = await query(
    em,
    `INSERT INTO job_token_allowances (project_id, allowed_project_id, allowed_group_id) VALUES ($1, $2, $3)
     ON CONFLICT DO NOTHING RETURNING 1`,
    [projectId, ...columnsOf(allowed)]
  )

  return added.length > 0
}

/** False when it is not allowed. */
export async function removeAllowance(em: EntityManager, projectId: number, allowed: Allowed) {
  const removed = await query(
    em,
    `DELETE FROM job_token_allowances
     WHERE project_id = $1 AND allowed_project_id IS NOT DISTINCT FROM $2 AND allowed_group_id IS NOT DISTINCT FROM $3 RETURNING 1`,
    [projectId, ...columnsOf(allowed)]
  )

  return removed.length > 0
}

/** The ids of the projects, or of the groups, that are allowed. */
export async function allowedIds(em: EntityManager, projectId: number, kind: 'project' | 'group') {
  const rows = await query<{ project: number | null; group: number | null }>(
    em,
    `SELECT allowed_project_id AS project, allowed_group_id AS "group" FROM job_token_allowances WHERE project_id = $1`,
    [projectId]
  )

  return rows.flatMap(row => (row[kind] === null ? [] : [row[kind]]))
}

export async function countAllowances(em: EntityManager, projectId: number) {
  const [row] = await query<{ count: number }>(em, 'SELECT count(*) FROM job_token_allowances WHERE project_id = $1', [projectId])

  return row!.count
}

function columnsOf(allowed: Allowed) {
  return 'projectId' in allowed ? [allowed.projectId, null] : [null, allowed.groupId]
}
