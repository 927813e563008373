import { promisify } from 'node:util'
import zlib, { type InputType, type ZlibOptions } from 'node:zlib'

export type Inflated = Buffer | Promise<Buffer>

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
}

const inflateZlib = promisify<InputType, Options, Buffer>(zlib.inflate)
const inflateRaw = promisify<InputType, Options, Buffer>(zlib.inflateRaw)

type Options = ZlibOptions & { maxOutputLength: number }
type Sync = (body: Buffer, options: Options) => Buffer

const methods: Record<string, { sync: Sync; async: (body: InputType, options: Options) => Promise<Buffer> }> = {
  gzip: { sync: zlib.gunzipSync, async: promisify(zlib.gunzip) },
  deflate: { sync: inflateEither, async: inflateEitherAsync },
  br: { sync: zlib.brotliDecompressSync as Sync, async: promisify(zlib.brotliDecompress) as never },
  zstd: { sync: zlib.zstdDecompressSync as Sync, async: promisify(zlib.zstdDecompress) as never }
}

/** Up to this size, bodies are decompressed synchronously; larger ones go to zlib's thread pool. */
const small = 1 << 20
/** Chunk size for larger bodies: each chunk costs a round trip to another thread. */
const largeChunk = 1 << 18

/** Large bodies are decompressed one after another: concurrent ones would exhaust memory, each within its limit. */
let queue: Promise<unknown> = Promise.resolve()

/** Decompresses a body, up to `limit` bytes. An unknown or empty encoding counts as none, because SDKs send both. */
export function inflate(body: Buffer, encoding: string, limit: number): Inflated {
  const name = encoding.trim().toLowerCase().replace(/^x-/, '')
  const method = Object.hasOwn(methods, name) ? methods[name] : undefined

  if (!method) {
    if (body.length > limit) throw new TooLarge()
    return body
  }

  try {
    return method.sync(body, { maxOutputLength: Math.min(small, limit), chunkSize: chunkSizeFor(body) })
  } catch (error) {
    if (!isTooLarge(error)) throw new BrokenBody(`The body is not ${encoding}.`)
    if (limit <= small) throw new TooLarge()
  }

  const inflated = queue.then(() => method.async(body, { maxOutputLength: limit, chunkSize: largeChunk }))

  queue = inflated.catch(() => {})

  return inflated.catch(error => {
    throw isTooLarge(error) ? new TooLarge() : new BrokenBody(`The body is not ${encoding}.`)
  })
}

/** Detects the encoding by magic bytes, for stored bodies without headers. Brotli has none. */
export function encodingOf(bytes: Buffer) {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return 'gzip'
  if (bytes.length > 4 && bytes.readUInt32LE(0) === 0xfd2fb528) return 'zstd'

  return undefined
}

/**
 * gzip ends with the uncompressed size (RFC 1952 §2.3.1). A buffer of exactly that size avoids reallocations; a wrong
 * size is harmless.
 */
function chunkSizeFor(body: Buffer) {
  const size = encodingOf(body) === 'gzip' && body.length >= 18 ? body.readUInt32LE(body.length - 4) : 0

  return size > 1024 && size < 65_536 ? size + 1 : 16_384
}

// In RFC 9110, "deflate" is the zlib format, but some clients send a raw deflate stream.
function inflateEither(body: Buffer, options: Options) {
  try {
    return zlib.inflateSync(body, options)
  } catch (error) {
    if (isTooLarge(error)) throw error
    return zlib.inflateRawSync(body, options)
  }
}

async function inflateEitherAsync(body: InputType, options: Options) {
  try {
    return await inflateZlib(body, options)
  } catch (error) {
    if (isTooLarge(error)) throw error
    return inflateRaw(body, options)
  }
}

function isTooLarge(error: unknown) {
  return (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE'
}
