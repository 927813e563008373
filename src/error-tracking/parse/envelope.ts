import { isObject, type Json } from '../../lib/json.ts'

export interface Envelope {
  header: Json
  items: EnvelopeItem[]
}

export interface EnvelopeItem {
  type: string
  header: Json
  payload: Buffer
}

/** The body does not follow the envelope format. */
export class InvalidEnvelope extends Error {
  override name = 'InvalidEnvelope'
}

const newline = 0x0a

/**
 * Splits an envelope without copying or parsing its payloads: a header line, then items of a header line and a payload,
 * which ends after `length` bytes or else at the next newline.
 */
export function splitEnvelope(bytes: Buffer): Envelope {
  const [header, afterHeader] = readLine(bytes, bytes[0] === 0xef ? 3 : 0, 'envelope header')
  const items: EnvelopeItem[] = []
  let at = afterHeader

  while (at < bytes.length) {
    // SDKs add blank lines at the end.
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

/** Normalises an event id, with or without dashes, to 32 lower-case hex digits; undefined when it is invalid. */
export function parseEventId(value: unknown) {
  if (typeof value !== 'string') return undefined
  const id = value.replaceAll('-', '').toLowerCase()

  return /^[0-9a-f]{32}$/.test(id) ? id : undefined
}

/** Parses a header line; returns it with the offset of the next line. */
export function readLine(bytes: Buffer, from: number, name: string): [Json, number] {
  const end = lineEnd(bytes, from)
  let value: unknown

  try {
    value = JSON.parse(bytes.toString('utf8', from, end))
  } catch {
    throw new InvalidEnvelope(`The ${name} is not valid JSON.`)
  }
  if (!isObject(value)) throw new InvalidEnvelope(`The ${name} is not an object.`)

  return [value, Math.min(end + 1, bytes.length)]
}

function payloadEnd(bytes: Buffer, start: number, length: unknown) {
  if (length === undefined || length === null) return lineEnd(bytes, start)
  if (!Number.isInteger(length) || (length as number) < 0) throw new InvalidEnvelope('An item length is not a non-negative integer.')
  const end = start + (length as number)

  if (end > bytes.length) throw new InvalidEnvelope('An item is shorter than its declared length.')
  if (end < bytes.length && bytes[end] !== newline) throw new InvalidEnvelope('An item is longer than its declared length.')

  return end
}

function lineEnd(bytes: Buffer, from: number) {
  const end = bytes.indexOf(newline, from)

  return end === -1 ? bytes.length : end
}
