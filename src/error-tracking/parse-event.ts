import { inflateSync } from 'node:zlib'

/** An event's JSON, plain or in base64. */
export function parseEvent(payload: Buffer, mostInflated = 1 << 20): Record<string, unknown> | undefined {
  const text = payload.toString('utf8').trim()

  try {
    const value = JSON.parse(/^[{[]/.test(text) ? text : unpack(text, mostInflated))

    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

function unpack(text: string, maxOutputLength: number) {
  const bytes = Buffer.from(text, 'base64')

  return (bytes[0] === 0x78 ? inflateSync(bytes, { maxOutputLength }) : bytes).toString('utf8')
}
