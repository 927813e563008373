import type { EntityManager } from '#platform/database/database.ts'
import { deleteInBatches } from '#platform/database/delete-in-batches.ts'

/** Deletes the events of deleted groups, with their attachments and feedback. Running it again deletes the rest. */
export async function deleteGroupEvents(em: EntityManager, groups: { projectId: number; groupId: number }[], signal?: AbortSignal) {
  for (const { projectId, groupId } of groups) {
    const params = [projectId, groupId]
    const ofEvents = 'project_id = $1 AND event_id IN (SELECT event_id FROM error_events WHERE project_id = $1 AND group_id = $2)'
    const ofGroup = 'project_id = $1 AND group_id = $2'

    await deleteInBatches(em, { table: 'error_attachments', key: 'id', where: ofEvents, params, batchSize: 100 }, signal)
    await deleteInBatches(em, { table: 'error_feedback', key: 'id', where: ofEvents, params }, signal)
    await deleteInBatches(em, { table: 'error_events', key: 'project_id, event_id, day', where: ofGroup, params }, signal)
    await deleteInBatches(em, { table: 'error_hourly_counts', key: 'project_id, group_id, hour', where: ofGroup, params }, signal)
  }
}
