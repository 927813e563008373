import type { EntityManager } from '#platform/database/database.ts'
import { adoptLabels } from '../labels/label-store.ts'
import { adoptMilestones } from './milestone-store.ts'

/** The issues of transferred projects keep their labels and milestones. */
export async function adoptPlanning(em: EntityManager, projectIds: number[]) {
  await em.flush()
  await adoptLabels(em, projectIds)
  await adoptMilestones(em, projectIds)
}
