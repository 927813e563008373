import { type Actor, recordAuditEvent } from '#audit/record-audit-event.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { lockForChange } from '#platform/database/lock-for-change.ts'
import type { Project } from '#projects/project.ts'
import type { ErrorGroup } from '../groups/error-group.ts'
import { deleteEvents } from '../jobs.ts'
import { lockProject } from '../merge/lock-store.ts'
import { checkNoMoves } from '../merge/merge-groups.ts'
import type { MoveDeps } from '../merge/start-moves.ts'

/** Deletes an error. Its events, which may be millions, are deleted by the job `deleteEvents`. New events create a new error. */
export async function deleteGroup(em: EntityManager, { project, group }: { project: Project; group: ErrorGroup }, by: Actor) {
  await em.transactional(async em => {
    // No batch has assigned events to the group that it has yet to store.
    await lockProject(em, project.id)
    await lockForChange(em, group)
    await checkNoMoves(em, [group.id])
    recordAuditEvent(em, by, {
      name: 'error_deleted',
      entity: project.audited(),
      target: group.auditTarget(),
      details: { fingerprint: group.id, events: group.events }
    })
    em.remove(group)
  })
}

/** If the queue is unreachable, the events expire with their retention. */
export async function enqueueDeletion({ queues, log }: Pick<MoveDeps, 'queues' | 'log'>, { id, projectId }: ErrorGroup) {
  await queues
    .enqueue(deleteEvents, { projectId, groupId: id })
    .catch(error => log.warn({ err: error }, 'failed to enqueue the deletion of events'))
}
