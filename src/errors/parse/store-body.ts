import { gunzipSync, inflateSync } from 'node:zlib'
import { encodingOf, isZlib } from '#lib/inflate.ts'

const brace = 0x7b
const base64 = /^[A-Za-z0-9+/_=\s-]+$/

/**
 * The JSON bytes of a store request: plain, compressed, or base64 of either, detected by the first bytes because headers
 * are unreliable. Undefined for anything else, and for bodies that inflate beyond the limit.
 */
export function decodeStoreBody(body: Buffer, maxInflated: number): Buffer | undefined {
  const first = firstByte(body)

  if (first === brace) return body
  if (isZlib(body) || encodingOf(body) === 'gzip') return inflate(body, maxInflated)
  const text = body.toString('latin1')

  if (!base64.test(text)) return undefined
  const decoded = Buffer.from(text, 'base64')

  if (firstByte(decoded) === brace) return decoded

  return isZlib(decoded) || encodingOf(decoded) === 'gzip' ? inflate(decoded, maxInflated) : undefined
}

/** The first byte after a byte order mark, white space and NUL bytes. */
function firstByte(body: Buffer) {
  for (let at = body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? 3 : 0; at < body.length; at++) {
    const byte = body[at]!

    if (byte > 0x20) return byte
  }

  return undefined
}

function inflate(body: Buffer, maxInflated: number) {
  try {
    const decompress = isZlib(body) ? inflateSync : gunzipSync

    return decompress(body, { maxOutputLength: maxInflated })
  } catch {
    return undefined
  }
}
