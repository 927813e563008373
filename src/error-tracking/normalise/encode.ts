import { asList, asObject, type Json } from './json.ts'

const largest = 1 << 20

/** What tells one event from another; all else may be left out of one that is too large. */
const essential = new Set(
  `event_id timestamp level platform environment release dist transaction server_name logger logentry fingerprint user tags exception
  sdk left_out`.split(/\s+/)
)

/**
 * A modern event as JSON of at most `limit` bytes. Bounded as its members are, it hardly ever is larger; then the
 * largest of them are left out and named, and at last what the frames of its exceptions hold.
 */
export function encodeEvent(event: Json, limit = largest): Buffer {
  const whole = Buffer.from(JSON.stringify(event))

  return whole.length <= limit ? whole : encodeLess(event, whole.length, limit)
}

function encodeLess(event: Json, size: number, limit: number) {
  const kept = { ...event }
  const leftOut: string[] = asList(event.left_out).map(String)
  let excess = size - limit + 100

  for (const [name, bytes] of bySize(event)) {
    if (excess <= 0) break
    delete kept[name]
    leftOut.push(name)
    // Its name, quotes, colon and comma went as well, and the name came again.
    excess -= bytes
  }
  if (leftOut.length > 0) kept.left_out = leftOut.slice(0, 100)

  return slimmed(kept, limit)
}

function bySize(event: Json) {
  return Object.keys(event)
    .filter(name => !essential.has(name))
    .map(name => [name, Buffer.byteLength(JSON.stringify(event[name]))] as const)
    .sort(([, a], [, b]) => b - a)
}

/** Each try with less than the one before; the last one always fits. */
function slimmed(event: Json, limit: number) {
  const values = asList(asObject(event.exception)?.values) as Json[]
  const { exception: _, tags: __, user: ___, ...others } = event
  const tries = [
    () => event,
    () => ({ ...event, exception: { values: values.map(withoutVars) } }),
    () => ({ ...event, exception: { values: values.slice(-1).map(withoutVars) } }),
    () => ({ ...others, exception: { values: values.slice(-1).map(({ type, value }) => ({ type, value })) } })
  ]

  for (const attempt of tries) {
    const encoded = Buffer.from(JSON.stringify(attempt()))

    if (encoded.length <= limit) return encoded
  }

  return Buffer.from(JSON.stringify({ event_id: event.event_id, level: event.level, left_out: ['everything'] }))
}

function withoutVars(exception: Json) {
  const stacktrace = asObject(exception.stacktrace)
  const frames = asList(stacktrace?.frames) as Json[]

  return {
    ...exception,
    raw_stacktrace: undefined,
    stacktrace: stacktrace && {
      ...stacktrace,
      frames: frames.map(frame => ({ ...frame, vars: undefined, pre_context: undefined, post_context: undefined }))
    }
  }
}
