import { defineEntity, p } from '@mikro-orm/core'
import type { EntityManager } from '#platform/database/database.ts'
import type { Alert } from './alert.ts'

export const AlertNoteSchema = defineEntity({
  name: 'AlertNote',
  tableName: 'alert_notes',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    alertId: p.bigint('number'),
    /** Null for monitoring tools. */
    authorId: p.bigint('number').nullable(),
    /** Null for comments. */
    action: p.text().nullable(),
    body: p.text(),
    createdAt: p.datetime(3).onCreate(() => new Date())
  }
})

/** A comment on an alert, or a system note about a change. */
export class AlertNote extends AlertNoteSchema.class {}

AlertNoteSchema.setClass(AlertNote)

export type AlertAction = 'status' | 'assignees' | 'incident' | 'severity' | 'content'

/** Adds a system note to the unit of work: it is stored together with the change. */
export function recordNote(em: EntityManager, alert: Alert, authorId: number | null, action: AlertAction, body: string) {
  em.create(AlertNote, { alertId: alert.id, authorId, action, body })
}
