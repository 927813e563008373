import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { encodingOf, inflate } from '#lib/inflate.ts'
import { type Json, valuesOf } from '#lib/json.ts'
import { parseTime } from '#lib/time.ts'
import { encodeEvent } from '../normalise/encode.ts'
import { normaliseEvent } from '../normalise/normalise-event.ts'
import { splitEnvelope } from '../parse/envelope.ts'
import { parseEvent } from '../parse/parse-event.ts'

/** Upper bound of a stored payload once inflated. Older ones may have this much. */
const maxInflated = 200 << 20

/** The payload to store for an event that was normalised and scrubbed. */
export function packEvent(event: Json) {
  return zstdCompressSync(encodeEvent(event))
}

/** The normalised event. It is stored alone, or in an envelope as received. */
export function readPayload(stored: Buffer): Json {
  const bytes = encodingOf(stored) === 'zstd' ? zstdDecompressSync(stored) : inflate(stored, encodingOf(stored) ?? '', maxInflated)
  // An envelope consists of several JSON values, an event is one.
  const event = parseEvent(bytes) ?? parseEvent(splitEnvelope(bytes).items[0]!.payload)

  return normaliseEvent(event ?? {})
}

interface Stored {
  payload: Buffer
  occurred_at: Date | string
}

const minuteMs = 60_000

/** The event with its times by the server's clock: when the sender's is wrong, `occurred_at` was corrected, and its breadcrumbs follow. */
export function readEvent({ payload, occurred_at: at }: Stored): Json {
  const event = readPayload(payload)
  const drift = new Date(at).getTime() - parseTime(event.timestamp)

  if (!(Math.abs(drift) > minuteMs)) return event
  const values = valuesOf(event.breadcrumbs).map(crumb => ({ ...crumb, ...shifted(crumb.timestamp, drift) }))

  return { ...event, ...shifted(event.timestamp, drift), ...(event.breadcrumbs !== undefined && { breadcrumbs: { values } }) }
}

function shifted(timestamp: unknown, drift: number) {
  const time = parseTime(timestamp) + drift

  return Number.isNaN(time) ? {} : { timestamp: new Date(time).toISOString() }
}
