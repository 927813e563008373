import type { Actor } from '#audit/record-audit-event.ts'
import { Forbidden, NotFound } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { lockForChange } from '#platform/database/lock-for-change.ts'
import type { Alert } from './alert.ts'
import { AlertNote } from './alert-note.ts'

export async function addComment(em: EntityManager, alert: Alert, authorId: number, body: string) {
  const note = em.create(AlertNote, { alertId: alert.id, authorId, body })

  await em.flush()

  return note
}

/** Only comments can be deleted, and only by their author. */
export async function deleteComment(em: EntityManager, alert: Alert, noteId: number, by: Actor) {
  await em.transactional(async em => {
    const note = await em.findOne(AlertNote, { id: noteId, alertId: alert.id, action: null })

    if (!note) throw new NotFound('Note')
    if (note.authorId !== by.user?.id) throw new Forbidden()
    await lockForChange(em, note)
    em.remove(note)
  })
}
