import { type Json, objectOrEmpty, textOrUndefined, valuesOf } from '#lib/json.ts'
import { bounded, codeBlock, compact, facts, line, section, sections } from '#lib/markdown.ts'
import { writeTime } from '#lib/time.ts'
import { plainId } from '../groups/present-group.ts'
import type { EventRow } from './list-events.ts'
import { readEvent } from './payload.ts'
import { writeStackTrace } from './write-stack-trace.ts'

const maxMessage = 2000
const maxStackTrace = 16_000
const maxTags = 30
const maxBreadcrumbs = 15

export type EventDigest = ReturnType<typeof digestEvent>

/** What one reads first of an event: the stack trace, and the circumstances. */
export function digestEvent(row: EventRow) {
  const event = readEvent(row)

  return compact({
    ...summarizeEvent(row),
    message: messageOf(event),
    stack_trace: writeStackTrace(event),
    request: writeRequest(objectOrEmpty(event.request)),
    tags: Object.fromEntries(tagsOf(row).slice(0, maxTags)),
    breadcrumbs: breadcrumbsOf(event)
  })
}

export function summarizeEvent(row: EventRow) {
  return compact({
    event_id: plainId(row.event_id),
    occurred_at: writeTime(row.occurred_at),
    level: row.level,
    environment: row.environment,
    release: row.release
  })
}

export function boundDigest({ message, stack_trace: trace, ...digest }: EventDigest): EventDigest {
  return { ...digest, message: message && bounded(message, maxMessage), stack_trace: trace && bounded(trace, maxStackTrace) }
}

export function writeEvent({ event_id: id, occurred_at: time, release, environment, ...event }: EventDigest) {
  return sections(
    section('Event', facts({ id, 'occurred at': time, release, environment })),
    section('Message', event.message && codeBlock(event.message)),
    section('Stack trace, most recent call first', event.stack_trace && codeBlock(event.stack_trace)),
    section('Request', event.request && codeBlock(event.request)),
    section('Tags', facts(event.tags ?? {})),
    section('Breadcrumbs, oldest first', event.breadcrumbs && codeBlock(event.breadcrumbs.join('\n')))
  )
}

export function messageOf({ logentry }: Json) {
  const { formatted, message } = objectOrEmpty(logentry)

  return textOrUndefined(formatted) ?? textOrUndefined(message)
}

/** Stored as `name=value`. */
export function tagsOf({ tags }: Pick<EventRow, 'tags'>) {
  return tags.map(tag => [tag.slice(0, tag.indexOf('=')), tag.slice(tag.indexOf('=') + 1)] as const)
}

function writeRequest({ method, url, query_string: query }: Json) {
  const address = textOrUndefined(url)

  return address && line(`${textOrUndefined(method) ?? 'GET'} ${address}${query ? `?${textOrUndefined(query) ?? ''}` : ''}`, 1000)
}

/** The last ones, oldest first. */
function breadcrumbsOf({ breadcrumbs }: Json) {
  const last = valuesOf(breadcrumbs).slice(-maxBreadcrumbs)

  return last.map(crumb => {
    const { url, method, status_code: status } = objectOrEmpty(crumb.data)
    const parts = [crumb.timestamp, crumb.level, crumb.category ?? crumb.type, crumb.message, method, url, status]

    return line(parts.map(textOrUndefined).filter(Boolean).join(' '), 200)
  })
}
