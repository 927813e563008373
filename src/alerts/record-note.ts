import type { EntityManager } from '../platform/database/database.ts'
import type { Alert } from './alert.ts'
import { AlertNote } from './alert-note.ts'

/** What can be done to an alert, as its history names it. */
export type Action = 'status' | 'assignees' | 'incident'

/** Joins the unit of work at hand: what was done and the line of history that tells it are stored together. */
export function noteDown(em: EntityManager, alert: Alert, authorId: number | null, action: Action, body: string) {
  em.create(AlertNote, { alertId: alert.id, authorId, action, body })
}
