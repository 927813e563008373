import type { EntityManager } from '#platform/database/database.ts'
import { announce } from '#platform/live/announce.ts'
import type { Task } from './task.ts'

/** To the pages of its project, and to its author. */
export async function announceTask(em: EntityManager, { id, projectId, author }: Task) {
  await announce(em, [
    ...(projectId ? [{ kind: 'tasks', projectId, id }] : []),
    // Named by the user: the tasks of one user may be of no project.
    ...(author ? [{ kind: 'tasks-of', projectId: author.id, id }] : [])
  ])
}
