import { sql } from 'kysely'
import type { Viewer } from '#identity/viewer.ts'
import type { EntityManager, Tables } from '#platform/database/database.ts'
import { allOf, containing } from '#platform/database/filter.ts'
import { mapRows, selectAs, selectList } from '#platform/database/list.ts'
import { isVisibleGroup } from '#projects/groups/list-groups.ts'
import { milestoneJson, presentMilestone } from '#projects/milestones/milestone-schemas.ts'
import { isVisibleProject } from '#projects/visibility/visible-projects.ts'
import type { SearchScope } from '#search/search.ts'

interface MilestoneOwner {
  projectId?: number
  /** With its descendants. */
  groupId?: number
}

/** The milestones that a viewer sees with the text in the title or the description, newest first. */
async function searchMilestones(em: EntityManager, viewer: Viewer, text: string, { projectId, groupId }: MilestoneOwner) {
  const inGroup = groupId !== undefined && sql`n.lineage @> ARRAY[${groupId}::bigint]`
  const isSeenProject = allOf(await isVisibleProject(em, viewer), inGroup, projectId !== undefined && sql`p.id = ${projectId}`)
  const isSeenGroup = allOf(await isVisibleGroup(em, viewer, { allAvailable: true }), inGroup, projectId !== undefined && sql`false`)
  const milestones = em
    .getKysely<Tables>()
    .selectFrom('milestones as m')
    .where(
      allOf(
        sql`(m.title ILIKE ${containing(text)} OR m.description ILIKE ${containing(text)})`,
        sql`(EXISTS (SELECT FROM projects p JOIN namespaces n ON n.id = p.namespace_id WHERE p.id = m.project_id AND ${isSeenProject})
          OR EXISTS (SELECT FROM namespaces n WHERE n.id = m.group_id AND ${isSeenGroup}))`
      )
    )

  return selectList(em, { from: milestones, load: page => selectAs(page, milestoneJson('m')), keys: [{ sql: 'm.id', sort: 'desc' }] })
}

export const searchAllMilestones: SearchScope = async ({ em, viewer, text, group, project, baseUrl }) => {
  const milestones = await searchMilestones(em, viewer, text, { projectId: project?.id, groupId: group?.id })

  return mapRows(milestones, rows => rows.map(milestone => presentMilestone(milestone, baseUrl)))
}
