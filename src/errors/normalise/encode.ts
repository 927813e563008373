import { isObject, type Json, listOrEmpty, objectOrEmpty } from '#lib/json.ts'

const maxEncodedBytes = 1 << 20

/** Attributes that are never omitted. */
const essential = new Set(
  `event_id timestamp level platform environment release dist transaction server_name logger logentry fingerprint user tags exception
  sdk left_out`.split(/\s+/)
)

/**
 * Encodes a normalised event as JSON of at most `maxBytes`. Too large an event, which is rare as its attributes are
 * bounded, loses its largest attributes (listed in `left_out`), then details of its frames.
 */
export function encodeEvent(event: Json, maxBytes = maxEncodedBytes): Buffer {
  const encoded = encode(event)

  return encoded.length <= maxBytes ? encoded : encodeReduced(event, encoded.length, maxBytes)
}

function encodeReduced(event: Json, size: number, maxBytes: number) {
  const reduced = { ...event }
  const omitted: string[] = listOrEmpty(event.left_out).map(String)
  let excess = size - maxBytes + 100

  for (const [name, bytes] of bySize(event)) {
    if (excess <= 0) break
    delete reduced[name]
    omitted.push(name)
    excess -= bytes
  }
  if (omitted.length > 0) reduced.left_out = omitted.slice(0, 100)

  return firstThatFits(reduced, maxBytes)
}

function bySize(event: Json) {
  return Object.keys(event)
    .filter(name => !essential.has(name))
    .map(name => [name, Buffer.byteLength(JSON.stringify(event[name]))] as const)
    .sort(([, a], [, b]) => b - a)
}

function firstThatFits(event: Json, maxBytes: number) {
  const exceptions = listOrEmpty(objectOrEmpty(event.exception).values).filter(isObject)
  const { exception: _, tags: __, user: ___, ...rest } = event
  const reductions = [
    () => event,
    () => ({ ...event, exception: { values: exceptions.map(withoutFrameDetails) } }),
    () => ({ ...event, exception: { values: exceptions.slice(-1).map(withoutFrameDetails) } }),
    () => ({ ...rest, exception: { values: exceptions.slice(-1).map(({ type, value }) => ({ type, value })) } })
  ]

  for (const reduce of reductions) {
    const encoded = encode(reduce())

    if (encoded.length <= maxBytes) return encoded
  }

  return encode({ event_id: event.event_id, level: event.level, left_out: ['everything'] })
}

function withoutFrameDetails({ raw_stacktrace: _, stacktrace, ...exception }: Json) {
  if (!isObject(stacktrace)) return exception
  const frames = listOrEmpty(stacktrace.frames).filter(isObject)

  return {
    ...exception,
    stacktrace: { ...stacktrace, frames: frames.map(({ vars: _, pre_context: __, post_context: ___, ...frame }) => frame) }
  }
}

function encode(event: Json) {
  return Buffer.from(JSON.stringify(event))
}
