import { sql } from 'kysely'
import type { Viewer } from '#identity/viewer.ts'
import { type EntityManager, query } from '#platform/database/database.ts'
import { Role } from '#projects/members/member.ts'
import { isWithin, membershipsOf } from '#projects/visibility/membership-store.ts'
import type { RunnerType } from './runner.ts'

interface IdRow {
  id: number
}

/** Lets a runner run the jobs of a project. The first project owns it. False when it does already. */
export async function addProject(em: EntityManager, runnerId: number, projectId: number) {
  const added = await query(
    em,
    `INSERT INTO ci_runner_projects (runner_id, project_id, is_owner)
     VALUES ($1, $2, NOT EXISTS (SELECT FROM ci_runner_projects WHERE runner_id = $1)) ON CONFLICT DO NOTHING RETURNING 1`,
    [runnerId, projectId]
  )

  return added.length > 0
}

/** The owner stays. False when it is the owner, or the runner does not run its jobs. */
export async function removeProject(em: EntityManager, runnerId: number, projectId: number) {
  const removed = await query(
    em,
    'DELETE FROM ci_runner_projects WHERE runner_id = $1 AND project_id = $2 AND NOT is_owner RETURNING project_id',
    [runnerId, projectId]
  )

  return removed.length > 0
}

/** The projects that a runner was given, the owner first. */
export async function projectIdsOf(em: EntityManager, runnerId: number) {
  const rows = await query<IdRow>(
    em,
    'SELECT project_id AS id FROM ci_runner_projects WHERE runner_id = $1 ORDER BY is_owner DESC, project_id',
    [runnerId]
  )

  return rows.map(({ id }) => id)
}

/** The runners that run the jobs of a project, its groups' and the installation's included. */
export async function runnerIdsOfProject(em: EntityManager, projectId: number, type?: RunnerType) {
  const rows = await query<IdRow>(
    em,
    `SELECT r.id FROM ci_runners r
     WHERE ($2::text IS NULL OR r.type = $2) AND (r.type = 'instance_type'
       OR r.id IN (SELECT runner_id FROM ci_runner_projects WHERE project_id = $1)
       OR r.group_id = ANY (SELECT unnest(n.lineage) FROM projects p JOIN namespaces n ON n.id = p.namespace_id WHERE p.id = $1))`,
    [projectId, type ?? null]
  )

  return rows.map(({ id }) => id)
}

/** The runners that run the jobs of a group's projects. `lineage`: the group and its ancestors. */
export async function runnerIdsOfGroup(em: EntityManager, lineage: number[]) {
  const rows = await query<IdRow>(em, `SELECT id FROM ci_runners WHERE type = 'instance_type' OR group_id = ANY ($1::bigint[])`, [lineage])

  return rows.map(({ id }) => id)
}

type TokenOwner = { projectId: number } | { groupId: number } | 'instance'

/** Replaces the registration token of a project, a group or the installation. */
export function setRegistrationToken(em: EntityManager, owner: TokenOwner, tokenHash: Buffer) {
  const project = owner !== 'instance' && 'projectId' in owner ? owner.projectId : null
  const group = owner !== 'instance' && 'groupId' in owner ? owner.groupId : null

  return em.transactional(async em => {
    await query(
      em,
      'DELETE FROM ci_registration_tokens WHERE project_id IS NOT DISTINCT FROM $1 AND group_id IS NOT DISTINCT FROM $2 RETURNING 1',
      [project, group]
    )
    await query(em, 'INSERT INTO ci_registration_tokens (token_hash, project_id, group_id) VALUES ($1, $2, $3)', [
      tokenHash,
      project,
      group
    ])
  })
}

/** Where a runner with this registration token belongs. */
export async function findRegistration(em: EntityManager, tokenHash: Buffer) {
  const [row] = await query<{ project_id: number | null; group_id: number | null }>(
    em,
    'SELECT project_id, group_id FROM ci_registration_tokens WHERE token_hash = $1',
    [tokenHash]
  )

  return (
    row && {
      projectId: row.project_id ?? undefined,
      groupId: row.group_id ?? undefined
    }
  )
}

/** The ids of the runners of projects in which the user is a maintainer, and of groups in which they are an owner. */
export async function managedRunnerIds(em: EntityManager, user: Viewer) {
  const maintained = await membershipsOf(em, user, Role.maintainer)
  const owned = await membershipsOf(em, user, Role.owner)
  const { rows } = await sql<{ id: number }>`
    SELECT r.id FROM ci_runners r WHERE r.group_id = ANY (${owned.namespaces}::bigint[])
       OR EXISTS (SELECT FROM ci_runner_projects rp JOIN projects p ON p.id = rp.project_id WHERE rp.runner_id = r.id AND ${isWithin(maintained, 'p')})`.execute(
    em.getKysely()
  )

  return rows.map(({ id }) => id)
}

/** The ids of those that run a job. */
export async function findBusy(em: EntityManager, ids: number[]) {
  const { rows } = await sql<{ id: number }>`
    SELECT DISTINCT runner_id AS id FROM ci_jobs WHERE runner_id = ANY (${ids}::bigint[]) AND status = 'running'`.execute(em.getKysely())

  return new Set(rows.map(({ id }) => id))
}
