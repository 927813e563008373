import Type from 'typebox'
import { type Json, listOrEmpty, objectOrEmpty, textOrUndefined, valuesOf } from '#lib/json.ts'
import { Nullable } from '#lib/nullable.ts'
import { writeTime } from '#lib/time.ts'
import type { EventRow } from '../events/list-events.ts'
import { readEvent } from '../events/payload.ts'
import type { ErrorGroup } from '../groups/error-group.ts'
import { plainId, titleOf } from '../groups/present-group.ts'

const userAttributes = ['id', 'username', 'email', 'ip_address'] as const
const User = Type.Object(Object.fromEntries(userAttributes.map(name => [name, Type.Optional(Type.String())])))

export const SentryEvent = Type.Object({
  id: Type.String(),
  eventID: Type.String(),
  groupID: Type.String(),
  title: Type.String(),
  culprit: Type.String(),
  platform: Type.String(),
  dateCreated: Type.String(),
  user: Nullable(User),
  tags: Type.Array(Type.Object({ key: Type.String(), value: Type.String() }))
})

export const WholeEvent = Type.Object({
  ...SentryEvent.properties,
  type: Type.String(),
  message: Type.String(),
  release: Nullable(Type.Object({ version: Type.String() })),
  environment: Nullable(Type.String()),
  dateReceived: Type.String(),
  entries: Type.Array(Type.Object({ type: Type.String(), data: Type.Object({}, { additionalProperties: true }) })),
  contexts: Type.Object({}, { additionalProperties: true }),
  context: Type.Object({}, { additionalProperties: true })
})

type Listed = Pick<EventRow, 'event_id' | 'occurred_at' | 'platform' | 'tags'>

export function presentEvent({ event_id, occurred_at, platform, tags }: Listed, group: ErrorGroup, event: Json) {
  const id = plainId(event_id)!

  return {
    id,
    eventID: id,
    groupID: String(group.id),
    title: titleOf(group),
    culprit: group.actor,
    platform: platform ?? 'other',
    dateCreated: writeTime(occurred_at),
    user: userOf(event),
    tags: tags.map(tag => ({ key: tag.slice(0, tag.indexOf('=')), value: tag.slice(tag.indexOf('=') + 1) }))
  }
}

/** With everything that it contains, in Sentry's names. */
export function presentWholeEvent(row: EventRow, group: ErrorGroup) {
  const event = readEvent(row)
  const { exception, threads, request, breadcrumbs, contexts, extra } = event
  const logEntry = objectOrEmpty(event.logentry)
  const entries: [type: string, data: Json | undefined][] = [
    ['exception', exception === undefined ? undefined : { values: valuesOf(exception).map(withStack) }],
    ['message', event.logentry === undefined ? undefined : logEntry],
    ['threads', threads === undefined ? undefined : { values: valuesOf(threads).map(withStack) }],
    ['request', request === undefined ? undefined : objectOrEmpty(request)],
    ['breadcrumbs', breadcrumbs === undefined ? undefined : { values: valuesOf(breadcrumbs) }]
  ]

  return {
    ...presentEvent(row, group, event),
    type: exception === undefined ? 'default' : 'error',
    message: textOrUndefined(logEntry.formatted) ?? textOrUndefined(logEntry.message) ?? '',
    release: row.release === null ? null : { version: row.release },
    environment: row.environment,
    dateReceived: writeTime(row.received_at),
    entries: entries.flatMap(([type, data]) => (data ? [{ type, data }] : [])),
    contexts: Object.fromEntries(
      Object.entries(objectOrEmpty(contexts)).map(([name, context]) => [name, { type: name, ...objectOrEmpty(context) }])
    ),
    context: objectOrEmpty(extra)
  }
}

/** Clients accept strings only. */
function userOf(event: Json) {
  const user = objectOrEmpty(event.user)
  const given = userAttributes.flatMap(name => (user[name] === undefined || user[name] === null ? [] : [[name, String(user[name])]]))

  return given.length > 0 ? Object.fromEntries(given) : null
}

function withStack(value: Json) {
  const { frames } = objectOrEmpty(value.stacktrace)

  return Array.isArray(frames) ? { ...value, stacktrace: { frames: frames.map(frame => toFrame(objectOrEmpty(frame))) } } : value
}

function toFrame({ pre_context: before, context_line: line, post_context: after, vars, ...frame }: Json) {
  const lineNo = typeof frame.lineno === 'number' ? frame.lineno : null
  const earlier = listOrEmpty(before)
  const lines = [...earlier, ...(typeof line === 'string' ? [line] : []), ...listOrEmpty(after)]

  return {
    filename: frame.filename ?? null,
    absPath: frame.abs_path ?? null,
    module: frame.module ?? null,
    function: frame.function ?? null,
    lineNo,
    colNo: typeof frame.colno === 'number' ? frame.colno : null,
    inApp: frame.in_app === true,
    context: lineNo === null ? [] : lines.map((text, n) => [lineNo - earlier.length + n, String(text)]),
    ...(vars !== undefined && { vars: objectOrEmpty(vars) })
  }
}
