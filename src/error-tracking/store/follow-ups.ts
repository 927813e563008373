import { type Activity, recordActivity } from '../../activity/record-activity.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import type { ItemOf } from '../../platform/queue/job.ts'
import { findGroup } from '../groups/find-group.ts'
import type { followUp } from '../jobs.ts'

/** Records new errors, and those that came back, as activity. The same news again changes nothing. */
export async function followNews(em: EntityManager, news: ItemOf<typeof followUp>[]) {
  const activities: Activity[] = []

  for (const { projectId, groupId, kind, envelopeId } of news) {
    const group = await findGroup(em, projectId, groupId)

    // Removed meanwhile, with its project.
    if (!group) continue
    activities.push({
      projectId,
      action: kind === 'new' ? 'created' : 'reopened',
      target: { type: 'Error', id: group.id, title: group.name },
      key: `error-${groupId}-${kind}-${envelopeId}`
    })
  }
  await recordActivity(em, ...activities)
}
