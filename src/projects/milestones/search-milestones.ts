import { sql } from 'kysely'
import type { Viewer } from '../../identity/viewer.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import { allOf, containing, countUpTo } from '../../platform/database/filter.ts'
import { isVisibleGroup } from '../groups/list-groups.ts'
import { isVisibleProject } from '../visibility/visible-projects.ts'
import { milestoneJson } from './milestone-schemas.ts'

interface MilestonePlace {
  projectId?: number
  /** With its descendants. */
  groupId?: number
}

/** The milestones that a viewer sees with the text in the title or the description, newest first. */
export async function searchMilestones(em: EntityManager, viewer: Viewer, text: string, { projectId, groupId }: MilestonePlace) {
  const inGroup = groupId !== undefined && sql`n.lineage @> ARRAY[${groupId}::bigint]`
  const isSeenProject = allOf(await isVisibleProject(em, viewer), inGroup, projectId !== undefined && sql`p.id = ${projectId}`)
  const isSeenGroup = allOf(await isVisibleGroup(em, viewer, { allAvailable: true }), inGroup, projectId !== undefined && sql`false`)
  const milestones = em
    .getKysely<{ milestones: { id: number } }>()
    .selectFrom('milestones as m')
    .where(
      allOf(
        sql`(m.title ILIKE ${containing(text)} OR m.description ILIKE ${containing(text)})`,
        sql`(EXISTS (SELECT FROM projects p JOIN namespaces n ON n.id = p.namespace_id WHERE p.id = m.project_id AND ${isSeenProject})
          OR EXISTS (SELECT FROM namespaces n WHERE n.id = m.group_id AND ${isSeenGroup}))`
      )
    )

  return {
    async list(limit: number, offset: number) {
      const rows = await milestones.select(milestoneJson('m').as('milestone')).orderBy('m.id', 'desc').limit(limit).offset(offset).execute()

      return rows.map(({ milestone }) => milestone)
    },
    count: (max: number) => countUpTo(em, milestones.select('m.id'), max)
  }
}
