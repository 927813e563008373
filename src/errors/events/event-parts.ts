import { isEmpty, isObject, type Json, valuesOf } from '#lib/json.ts'
import type { EventRow } from './list-events.ts'
import { readEvent } from './payload.ts'
import { messageOf, tagsOf } from './write-event.ts'
import { everything, writeStackTrace } from './write-stack-trace.ts'

/** The parts of an event that can be read alone and in full. */
export const eventParts = ['stack_trace', 'message', 'request', 'tags', 'breadcrumbs', 'contexts', 'extra'] as const

export type EventPart = (typeof eventParts)[number]

/** Undefined if the event does not have the part. */
export function writeEventPart(row: EventRow, part: EventPart) {
  const event = readEvent(row)

  return writers[part](event, row)
}

const writers: Record<EventPart, (event: Json, row: EventRow) => string | undefined> = {
  stack_trace: event => writeStackTrace(event, everything),
  message: messageOf,
  request: ({ request }) => toJson(request),
  tags: (_event, row) =>
    tagsOf(row)
      .map(([name, value]) => `${name} = ${value}`)
      .join('\n'),
  breadcrumbs: ({ breadcrumbs }) =>
    valuesOf(breadcrumbs)
      .map(crumb => JSON.stringify(crumb))
      .join('\n'),
  contexts: ({ contexts }) => toJson(contexts),
  extra: ({ extra }) => toJson(extra)
}

function toJson(value: unknown) {
  return isObject(value) && !isEmpty(value) ? JSON.stringify(value, undefined, 2) : undefined
}
