import type { EntityManager, Tables } from '#platform/database/database.ts'

/** The attachments of several events, without their contents. */
export function listAttachmentsOf(em: EntityManager, projectId: number, eventIds: string[]) {
  return selectAttachments(em, projectId, eventIds).select(['id', 'event_id', 'filename', 'size']).limit(500).execute()
}

/** The attachments of an event, without their contents. */
export function listAttachments(em: EntityManager, projectId: number, eventId: string) {
  return selectAttachments(em, projectId, [eventId]).select(['id', 'filename', 'content_type', 'size', 'received_at']).limit(100).execute()
}

export function findAttachment(em: EntityManager, projectId: number, eventId: string, id: number) {
  return selectAttachments(em, projectId, [eventId]).select(['filename', 'content']).where('id', '=', id).executeTakeFirst()
}

function selectAttachments(em: EntityManager, projectId: number, eventIds: string[]) {
  return em
    .getKysely<Tables>()
    .selectFrom('error_attachments')
    .where('project_id', '=', projectId)
    .where('event_id', 'in', eventIds)
    .orderBy('id')
}
