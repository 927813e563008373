import { type Json, objectOrEmpty } from '#lib/json.ts'
import { isWebUrl } from '#lib/web-url.ts'
import { parseEventId } from '../parse/envelope.ts'
import { boundedText, type ItemOrigin } from '../parse/item-origin.ts'

/** A user's comments, on an error or on anything. */
export interface Feedback extends ItemOrigin {
  /** Of the error that it is about. */
  eventId?: string
  /** Of the feedback itself, which its screenshots name. */
  ownId?: string
  name: string
  email: string
  comments: string
  /** The page where it was given. */
  url: string
  release: string
  environment: string
}

/** Reads a `user_report`, or a `feedback`: an event with the comments in its contexts. */
export function parseFeedback(report: Json, origin: ItemOrigin): Feedback | undefined {
  const contexts = objectOrEmpty(report.contexts)
  const context = objectOrEmpty(contexts.feedback)
  const comments = boundedText(context.message ?? report.comments, 4096)

  if (!comments) return undefined
  const isEvent = contexts.feedback !== undefined
  const url = boundedText(context.url ?? objectOrEmpty(report.request).url, 2000)

  return {
    ...origin,
    eventId: parseEventId(context.associated_event_id ?? (isEvent ? undefined : report.event_id)),
    ownId: isEvent ? parseEventId(report.event_id) : undefined,
    name: boundedText(context.name ?? report.name, 128),
    email: boundedText(context.contact_email ?? report.email, 254),
    comments,
    url: isWebUrl(url) ? url : '',
    release: boundedText(report.release, 250),
    environment: boundedText(report.environment, 64)
  }
}
