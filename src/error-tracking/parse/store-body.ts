import { gunzipSync, inflateSync } from 'node:zlib'
import { encodingOf } from '../../lib/inflate.ts'

const brace = 0x7b
const base64 = /^[A-Za-z0-9+/_=\s-]+$/

/**
 * The JSON of a store request, recognised by its first bytes whatever its headers say: as it is, base64 of it,
 * or base64 of it compressed. Nothing when it is none of these or inflates beyond the limit.
 */
export function decodeStoreBody(body: Buffer, limit: number): Buffer | undefined {
  const first = firstByte(body)

  if (first === brace) return body
  if (isZlib(body) || encodingOf(body) === 'gzip') return inflated(body, limit)
  const text = body.toString('latin1')

  if (!base64.test(text)) return undefined
  const decoded = Buffer.from(text, 'base64')

  if (firstByte(decoded) === brace) return decoded

  return isZlib(decoded) || encodingOf(decoded) === 'gzip' ? inflated(decoded, limit) : undefined
}

/** The first that counts: after a byte order mark, white space and stray null bytes. */
function firstByte(body: Buffer) {
  for (let at = body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? 3 : 0; at < body.length; at++) {
    const byte = body[at]!

    if (byte > 0x20) return byte
  }

  return undefined
}

/** RFC 1950 §2.2: method 8, and a header that is a multiple of 31. */
function isZlib(body: Buffer) {
  return body.length > 2 && (body[0]! & 0x0f) === 8 && body.readUInt16BE(0) % 31 === 0
}

function inflated(body: Buffer, limit: number) {
  try {
    const inflate = isZlib(body) ? inflateSync : gunzipSync

    return inflate(body, { maxOutputLength: limit })
  } catch {
    return undefined
  }
}
