import { type EntityManager, query } from '#platform/database/database.ts'
import { type RowColumns, rowSet } from '#platform/database/row-set.ts'
import type { Attachment } from '../parse/attachment.ts'
import type { ItemOrigin } from '../parse/item-origin.ts'

const originColumns: RowColumns<ItemOrigin & { eventId?: string }> = {
  project_id: ['bigint', item => item.projectId],
  envelope_id: ['uuid', item => item.envelopeId],
  position: ['int', item => item.position],
  event_id: ['uuid', item => item.eventId],
  received_at: ['timestamptz', item => item.receivedAt]
}

const attachmentRows = rowSet<Attachment>({
  ...originColumns,
  filename: ['text', attachment => attachment.filename],
  content_type: ['text', attachment => attachment.contentType],
  size: ['int', attachment => attachment.content.length],
  content: ['bytea', attachment => attachment.content]
})

export function storeAttachments(em: EntityManager, attachments: Attachment[]) {
  return insert(em, 'error_attachments', attachmentRows, attachments)
}

/** A repeated job inserts nothing: items are identified by their envelope and position. */
async function insert<Row>(em: EntityManager, table: string, rows: ReturnType<typeof rowSet<Row>>, items: Row[]) {
  if (items.length === 0) return
  await query(em, `INSERT INTO ${table} (${rows.names}) SELECT * FROM ${rows.source} ON CONFLICT DO NOTHING`, rows.params(items))
}
