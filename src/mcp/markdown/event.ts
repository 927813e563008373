import type { EventRow } from '../../error-tracking/events/list-events.ts'
import { readPayload } from '../../error-tracking/events/payload.ts'
import { plainId } from '../../error-tracking/groups/present-group.ts'
import { writeTime } from '../../http/parameters/time.ts'
import { type Json, objectOrEmpty, textOrUndefined, valuesOf } from '../../lib/json.ts'
import { bounded, codeBlock, compact, facts, line, section, sections } from './markdown.ts'
import { writeStackTrace } from './stack-trace.ts'

const maxStackTrace = 16_000
const maxTags = 30
const maxBreadcrumbs = 15

/** An event for a coding agent: the stack trace first, then the circumstances. */
export function presentEvent(row: EventRow) {
  const event = readPayload(row.payload)
  const trace = writeStackTrace(event)
  const stackTrace = trace && bounded(trace, maxStackTrace)
  const data = { ...summarizeEvent(row), message: messageOf(event), stack_trace: stackTrace }

  return {
    data: compact({ ...data, tags: Object.fromEntries(tagsOf(row)) }),
    text: sections(
      section('Event', facts({ id: data.event_id, 'occurred at': data.occurred_at, release: row.release, environment: row.environment })),
      section('Message', data.message && codeBlock(bounded(data.message, 2000))),
      section('Stack trace, most recent call first', stackTrace && codeBlock(stackTrace)),
      section('Request', writeRequest(objectOrEmpty(event.request))),
      section('Tags', facts(Object.fromEntries(tagsOf(row)))),
      section('Breadcrumbs, oldest first', writeBreadcrumbs(event))
    )
  }
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

function messageOf({ logentry }: Json) {
  const { formatted, message } = objectOrEmpty(logentry)

  return textOrUndefined(formatted) ?? textOrUndefined(message)
}

function tagsOf({ tags }: EventRow) {
  return tags.slice(0, maxTags).map(tag => [tag.slice(0, tag.indexOf('=')), tag.slice(tag.indexOf('=') + 1)] as const)
}

function writeRequest({ method, url, query_string: query }: Json) {
  const address = textOrUndefined(url)

  return (
    address && codeBlock(line(`${textOrUndefined(method) ?? 'GET'} ${address}${query ? `?${textOrUndefined(query) ?? ''}` : ''}`, 1000))
  )
}

function writeBreadcrumbs({ breadcrumbs }: Json) {
  const last = valuesOf(breadcrumbs).slice(-maxBreadcrumbs)
  const lines = last.map(crumb => {
    const { url, method, status_code: status } = objectOrEmpty(crumb.data)
    const parts = [crumb.timestamp, crumb.level, crumb.category ?? crumb.type, crumb.message, method, url, status]

    return line(parts.map(textOrUndefined).filter(Boolean).join(' '), 200)
  })

  return lines.length > 0 ? codeBlock(lines.join('\n')) : undefined
}
