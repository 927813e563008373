import { type Json, objectOrEmpty } from '../../../lib/json.ts'
import { type EntityManager, query } from '../../../platform/database/database.ts'
import { parseEventId } from '../envelope.ts'
import { boundedText, type ItemOrigin } from './item-origin.ts'

/** Comments of a user who saw an error. */
export interface Feedback extends ItemOrigin {
  eventId?: string
  name: string
  email: string
  comments: string
}

/** Reads a `user_report`, or a `feedback`: an event with the comments in its contexts. */
export function parseFeedback(report: Json, origin: ItemOrigin): Feedback | undefined {
  const context = objectOrEmpty(objectOrEmpty(report.contexts).feedback)
  const comments = boundedText(context.message ?? report.comments, 4096)

  if (!comments) return undefined

  return {
    ...origin,
    eventId: parseEventId(context.associated_event_id ?? report.event_id),
    name: boundedText(context.name ?? report.name, 128),
    email: boundedText(context.contact_email ?? report.email, 254),
    comments
  }
}

export async function storeFeedback(em: EntityManager, all: Feedback[]) {
  if (all.length === 0) return
  const columns = <T>(read: (feedback: Feedback) => T) => all.map(read)

  await query(
    em,
    `INSERT INTO error_feedback (project_id, envelope_id, position, event_id, name, email, comments, received_at)
     SELECT * FROM unnest($1::bigint[], $2::uuid[], $3::int[], $4::uuid[], $5::text[], $6::text[], $7::text[], $8::timestamptz[])
     ON CONFLICT DO NOTHING`,
    [
      columns(({ projectId }) => projectId),
      columns(({ envelopeId }) => envelopeId),
      columns(({ position }) => position),
      columns(({ eventId }) => eventId ?? null),
      columns(({ name }) => name),
      columns(({ email }) => email),
      columns(({ comments }) => comments),
      columns(({ receivedAt }) => receivedAt.toISOString())
    ]
  )
}
