export interface Envelope {
  header: Record<string, unknown>
  items: EnvelopeItem[]
}

export interface EnvelopeItem {
  type: string
  header: Record<string, unknown>
  payload: Buffer
}

/** The body does not follow the envelope's grammar; the message says where. */
export class InvalidEnvelope extends Error {
  override name = 'BrokenEnvelope'
}

const newline = 0x0a

/**
 * Takes an envelope apart without copying or reading its payloads: a line of headers, then items,
 * each a line of headers and a payload, as long as its `length` says or else up to the next newline.
 */
export function splitEnvelope(bytes: Buffer): Envelope {
  const [header, afterHeader] = readLine(bytes, bytes[0] === 0xef ? 3 : 0, 'envelope header')
  const items: EnvelopeItem[] = []
  let at = afterHeader

  while (at < bytes.length) {
    // Blank lines after the last payload are nobody's item.
    if (bytes[at] === newline) {
      at++
      continue
    }
    const [itemHeader, start] = readLine(bytes, at, 'item header')

    if (typeof itemHeader.type !== 'string') throw new InvalidEnvelope('An item header has no type.')
    const end = payloadEnd(bytes, start, itemHeader.length)

    items.push({ type: itemHeader.type, header: itemHeader, payload: bytes.subarray(start, end) })
    at = end + 1
  }

  return { header, items }
}

/** 32 small hex digits, from either spelling of an event's id; nothing when it is not one. */
export function parseEventId(given: unknown) {
  if (typeof given !== 'string') return undefined
  const plain = given.replaceAll('-', '').toLowerCase()

  return /^[0-9a-f]{32}$/.test(plain) ? plain : undefined
}

/** A line of headers, and where the next thing begins. */
export function readLine(bytes: Buffer, from: number, what: string): [Record<string, unknown>, number] {
  const found = bytes.indexOf(newline, from)
  const end = found === -1 ? bytes.length : found
  let value: unknown

  try {
    value = JSON.parse(bytes.toString('utf8', from, end))
  } catch {
    throw new InvalidEnvelope(`The ${what} is not valid JSON.`)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new InvalidEnvelope(`The ${what} is not an object.`)

  return [value as Record<string, unknown>, Math.min(end + 1, bytes.length)]
}

function payloadEnd(bytes: Buffer, start: number, length: unknown) {
  if (length === undefined || length === null) {
    const found = bytes.indexOf(newline, start)
    return found === -1 ? bytes.length : found
  }
  if (!Number.isInteger(length) || (length as number) < 0) throw new InvalidEnvelope('An item length is not a whole number.')
  const end = start + (length as number)

  if (end > bytes.length) throw new InvalidEnvelope('An item is shorter than its length says.')
  if (end < bytes.length && bytes[end] !== newline) throw new InvalidEnvelope('An item is longer than its length says.')

  return end
}
