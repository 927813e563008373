import { sql } from 'kysely'
import type { Viewer } from '#identity/viewer.ts'
import { isVisibleIssue } from '#issues/lists/find-visible-issues.ts'
import { loadIssues } from '#issues/load-issues.ts'
import type { EntityManager, Tables } from '#platform/database/database.ts'

/** The issues of a milestone that a viewer sees, newest first. */
export async function listMilestoneIssues(em: EntityManager, viewer: Viewer, milestoneId: number) {
  const issues = em
    .getKysely<Tables>()
    .selectFrom('issues as i')
    .innerJoin('projects as p', 'p.id', 'i.project_id')
    .where('i.milestone_id', '=', milestoneId)
    .where(await isVisibleIssue(em, viewer))

  return {
    async list(limit: number, offset: number) {
      const rows = await issues.select('i.id').orderBy('i.id', 'desc').limit(limit).offset(offset).execute()
      const ids = rows.map(({ id }) => id)
      const loaded = await loadIssues(em, ids)

      return loaded.sort((one, other) => other.id - one.id)
    },
    async count() {
      const { count } = await issues.select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow()

      return count
    }
  }
}
