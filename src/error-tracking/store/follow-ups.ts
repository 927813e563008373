import { recordActivity } from '../../activity/record-activity.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import type { ItemOf } from '../../platform/queue/job.ts'
import { findGroup } from '../groups/find-group.ts'
import type { followUp } from '../jobs.ts'

/** What becomes of a new error, or of one that came back. The same news again changes nothing. */
export async function followNews(em: EntityManager, { projectId, groupId, kind, envelopeId }: ItemOf<typeof followUp>) {
  const group = await findGroup(em, projectId, groupId)

  // Removed meanwhile, with its project.
  if (!group) return
  await recordActivity(em, {
    projectId,
    action: kind === 'new' ? 'created' : 'reopened',
    target: { type: 'Error', id: group.id, title: group.name },
    key: `error-${groupId}-${kind}-${envelopeId}`
  })
}
