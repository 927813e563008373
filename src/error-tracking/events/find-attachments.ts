import { type EntityManager, query } from '../../platform/database/database.ts'

export interface AttachmentRow {
  id: string
  filename: string
  content_type: string | null
  size: number
  received_at: string
}

/** The files that came with an event; there are few of them, and their contents are not read. */
export async function listAttachments(em: EntityManager, projectId: number, eventId: string) {
  return query<AttachmentRow>(
    em,
    `SELECT id, filename, content_type, size, received_at FROM error_attachments
     WHERE project_id = $1 AND event_id = $2 ORDER BY id LIMIT 100`,
    [projectId, eventId]
  )
}

/** One of them, whole. */
export async function readAttachment(em: EntityManager, projectId: number, eventId: string, id: number) {
  const [row] = await query<{ filename: string; content: Buffer }>(
    em,
    'SELECT filename, content FROM error_attachments WHERE project_id = $1 AND event_id = $2 AND id = $3',
    [projectId, eventId, id]
  )

  return row
}
