import { sql } from 'kysely'
import { type EntityManager, query } from '#platform/database/database.ts'

interface FirstSteps {
  /** An error or an alert has arrived. */
  hasData: boolean
  /** There is a channel other than e-mail. */
  hasChannel: boolean
  /** A rule notifies somebody. */
  notifies: boolean
  /** There is a second member, or somebody is invited. */
  hasTeam: boolean
}

/** Which of the first steps were taken, in any of the projects. */
export async function findFirstSteps(em: EntityManager, projectIds: number[]): Promise<FirstSteps> {
  const { rows } = await sql<FirstSteps>`
    WITH given AS (SELECT id, namespace_id FROM projects WHERE id = ANY (${projectIds}::bigint[]))
    SELECT
      EXISTS (SELECT FROM given JOIN error_groups g ON g.project_id = given.id)
        OR EXISTS (SELECT FROM given JOIN alerts a ON a.project_id = given.id) AS "hasData",
      EXISTS (SELECT FROM given JOIN notification_rules r ON r.project_id = given.id) AS notifies,
      EXISTS (SELECT FROM given JOIN notification_channels c ON c.project_id = given.id AND c.kind <> 'email') AS "hasChannel",
      (SELECT count(DISTINCT m.user_id) FROM members m WHERE m.project_id IN (SELECT id FROM given) OR m.group_id IN (SELECT namespace_id FROM given)) > 1
        OR EXISTS (SELECT FROM invitations i WHERE i.project_id IN (SELECT id FROM given) OR i.group_id IN (SELECT namespace_id FROM given)) AS "hasTeam"`.execute(
    em.getKysely()
  )

  return rows[0]!
}

export const stepNames = ['address', 'data', 'notify', 'team'] as const
export type StepName = (typeof stepNames)[number]

/** The steps that a user does not want to be shown. */
export async function findSkippedSteps(em: EntityManager, userId: number) {
  const rows = await query<{ step: StepName }>(em, 'SELECT step FROM skipped_steps WHERE user_id = $1', [userId])

  return new Set(rows.map(({ step }) => step))
}

export async function skipStep(em: EntityManager, userId: number, step: StepName) {
  await query(em, 'INSERT INTO skipped_steps (user_id, step) VALUES ($1, $2) ON CONFLICT DO NOTHING', [userId, step])
}

export async function resumeStep(em: EntityManager, userId: number, step: StepName) {
  await query(em, 'DELETE FROM skipped_steps WHERE user_id = $1 AND step = $2', [userId, step])
}
