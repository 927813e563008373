import type { Viewer } from '#identity/viewer.ts'
import { isVisibleIssue } from '#issues/lists/find-visible-issues.ts'
import { loadIssues } from '#issues/load-issues.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { byId, selectList } from '#platform/database/list.ts'

interface Tables {
  issues: { id: number; milestone_id: number; project_id: number }
  projects: { id: number }
}

/** The issues of a milestone that a viewer sees, newest first. */
export async function listMilestoneIssues(em: EntityManager, viewer: Viewer, milestoneId: number) {
  const issues = em
    .getKysely<Tables>()
    .selectFrom('issues as i')
    .innerJoin('projects as p', 'p.id', 'i.project_id')
    .where('i.milestone_id', '=', milestoneId)
    .where(await isVisibleIssue(em, viewer))

  return selectList(em, {
    from: issues,
    load: byId(ids => loadIssues(em, ids), 'i.id'),
    keys: [{ sql: 'i.id', sort: 'desc' }]
  })
}
