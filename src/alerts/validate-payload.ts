import { BrokenBody, TooLarge as InflatedTooLarge, inflate } from '#lib/inflate.ts'
import { isObject } from '#lib/json.ts'
import { isTooDeep } from '#lib/json-depth.ts'
import { Rejected, TooLarge } from '#lib/refusals.ts'

/** Compressed and uncompressed. */
export const maxPayloadBytes = 1 << 20
const maxDepth = 100
const maxItems = 1000

/** Returns the payload as text; throws unless it is a JSON object within the limits. */
export function validatePayload(body: Buffer | undefined, encoding = '') {
  const text = read(body ?? Buffer.alloc(0), encoding)

  if (isTooDeep(text, maxDepth)) throw new TooLarge()
  const payload = parse(text)

  if (!isObject(payload)) throw new Rejected('the payload is not a JSON object')
  if (Array.isArray(payload.alerts) && payload.alerts.length > maxItems) throw new TooLarge(`a payload holds at most ${maxItems} alerts`)

  return text
}

function read(body: Buffer, encoding: string) {
  try {
    return withoutByteOrderMark(inflate(body, encoding, maxPayloadBytes).toString('utf8'))
  } catch (error) {
    if (error instanceof InflatedTooLarge) throw new TooLarge()
    throw error instanceof BrokenBody ? new Rejected(`the payload is not in ${encoding}`) : error
  }
}

/** RFC 8259 §8.1: parsers may ignore it. Windows' tools write it. */
function withoutByteOrderMark(text: string) {
  return text.startsWith('\uFEFF') ? text.slice(1) : text
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Rejected('the payload is not valid JSON')
  }
}
