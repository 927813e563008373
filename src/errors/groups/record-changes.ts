import { type Activity, recordActivity } from '#activity/activity-store.ts'
import type { EntityManager } from '#platform/database/database.ts'
import type { GroupChange } from '../jobs.ts'
import { findGroup } from './find-group.ts'

/** Records new and regressed errors as activity. Recording the same change again does nothing. */
export async function recordGroupChanges(em: EntityManager, changes: GroupChange[]) {
  const activities: Activity[] = []

  for (const { projectId, groupId, kind, envelopeId } of changes) {
    const group = await findGroup(em, projectId, groupId)

    // Its project was deleted.
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
