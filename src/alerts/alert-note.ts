import { defineEntity, p } from '@mikro-orm/core'

const AlertNoteSchema = defineEntity({
  name: 'AlertNote',
  tableName: 'alert_notes',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    alertId: p.bigint('number'),
    /** Nobody, when a monitoring tool did it. */
    authorId: p.bigint('number').nullable(),
    /** Of what happened; what people said has none. */
    action: p.text().nullable(),
    body: p.text(),
    createdAt: p.datetime(3).onCreate(() => new Date())
  }
})

/** One line of an alert's history: what somebody said, or what was done. */
export class AlertNote extends AlertNoteSchema.class {}

AlertNoteSchema.setClass(AlertNote)
