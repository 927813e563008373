import type { Transform } from 'node:stream'
import zlib, { type ZlibOptions } from 'node:zlib'

/** The decompressed body exceeds the limit. */
export class TooLarge extends Error {
  override name = 'TooLarge'

  constructor(message = 'The envelope is too large.') {
    super(message)
  }
}

/** The body does not match its Content-Encoding. */
export class BrokenBody extends Error {
  override name = 'BrokenBody'

  constructor(encoding: string) {
    super(`The body is not ${encoding}.`)
  }
}

/** Bytes of a chunk. Larger ones are collected later: chunks of 64 KiB take 60 MiB more of resident memory. */
export const chunkBytes = 1 << 14

interface Method {
  sync: (body: Buffer, options: ZlibOptions) => Buffer
  stream: (options: ZlibOptions) => Transform
}

/** RFC 9659: senders use windows of at most 8 MiB. Without a limit, a frame may demand 128 MiB. */
const zstdWindow = { params: { [zlib.constants.ZSTD_d_windowLogMax]: 23 } }

const gzip: Method = { sync: zlib.gunzipSync, stream: zlib.createGunzip }
const deflate: Method = { sync: zlib.inflateSync, stream: zlib.createInflate }
const rawDeflate: Method = { sync: zlib.inflateRawSync, stream: zlib.createInflateRaw }
const brotli: Method = { sync: zlib.brotliDecompressSync as Method['sync'], stream: zlib.createBrotliDecompress as Method['stream'] }
const zstd: Method = {
  sync: (body, options) => zlib.zstdDecompressSync(body, { ...zstdWindow, ...options } as object),
  stream: options => zlib.createZstdDecompress({ ...zstdWindow, ...options } as object)
}

/** Decompresses a body of up to `limit` bytes. An unknown or empty encoding counts as none, because SDKs send both. */
export function inflate(body: Buffer, encoding: string, limit: number): Buffer {
  const method = methodOf(body, encoding)

  if (!method) {
    if (body.length > limit) throw new TooLarge()
    return body
  }

  try {
    return method.sync(body, { maxOutputLength: limit, chunkSize: chunkSizeFor(body) })
  } catch (error) {
    throw (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE' ? new TooLarge() : new BrokenBody(encoding)
  }
}

/** Decompresses a body on zlib's threads, in chunks. Throws after `limit` bytes. */
export async function* inflateChunks(body: Buffer, encoding: string, limit: number): AsyncGenerator<Buffer, void, void> {
  const method = methodOf(body, encoding)
  let bytes = 0

  for await (const chunk of method ? decompress(method, body, encoding) : [body]) {
    bytes += chunk.length
    if (bytes > limit) throw new TooLarge()
    yield chunk
  }
}

/** False for an encoding that is not known: it counts as none. */
export function isCompressed(body: Buffer, encoding: string) {
  return methodOf(body, encoding) !== undefined
}

/** Detects the encoding by magic bytes, for stored bodies without headers. Brotli has none. */
export function encodingOf(bytes: Buffer) {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return 'gzip'
  if (bytes.length > 4 && bytes.readUInt32LE(0) === 0xfd2fb528) return 'zstd'

  return undefined
}

/** RFC 1950 §2.2: method 8, and a checksum of 31. */
export function isZlib(bytes: Buffer) {
  return bytes.length > 2 && (bytes[0]! & 0x0f) === 8 && bytes.readUInt16BE(0) % 31 === 0
}

function methodOf(body: Buffer, encoding: string): Method | undefined {
  switch (encoding.trim().toLowerCase().replace(/^x-/, '')) {
    case 'gzip':
      return gzip
    case 'deflate':
      // In RFC 9110, "deflate" is the zlib format, but some clients send a raw deflate stream.
      return isZlib(body) ? deflate : rawDeflate
    case 'br':
      return brotli
    case 'zstd':
      return zstd
    default:
      return undefined
  }
}

/** An abandoned iteration destroys the stream. */
async function* decompress(method: Method, body: Buffer, encoding: string): AsyncGenerator<Buffer, void, void> {
  const stream = method.stream({ chunkSize: chunkBytes })

  try {
    stream.end(body)
    yield* stream
  } catch {
    throw new BrokenBody(encoding)
  }
}

/**
 * gzip ends with the uncompressed size (RFC 1952 §2.3.1). A buffer of exactly that size avoids reallocations; a wrong
 * size is harmless.
 */
function chunkSizeFor(body: Buffer) {
  const size = encodingOf(body) === 'gzip' && body.length >= 18 ? body.readUInt32LE(body.length - 4) : 0

  return size > 1024 && size < 65_536 ? size + 1 : 16_384
}
