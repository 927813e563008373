import { type Json, objectOrEmpty } from '#lib/json.ts'
import { parseEventId } from '../parse/envelope.ts'
import { boundedText, type ItemOrigin } from '../parse/item-origin.ts'

/** A user's comments on an error. */
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
