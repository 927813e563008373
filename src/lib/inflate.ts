import { promisify } from 'node:util'
import zlib, { type InputType, type ZlibOptions } from 'node:zlib'

export type Inflated = Buffer | Promise<Buffer>

/** More than the body may hold once inflated. */
export class TooLarge extends Error {
  override name = 'TooLarge'

  constructor(message = 'The envelope is too large.') {
    super(message)
  }
}

/** The body is not what its Content-Encoding says. */
export class BrokenBody extends Error {
  override name = 'BrokenBody'
}

const inflateZlib = promisify<InputType, Options, Buffer>(zlib.inflate)
const inflateRaw = promisify<InputType, Options, Buffer>(zlib.inflateRaw)

type Options = ZlibOptions & { maxOutputLength: number }
type Sync = (body: Buffer, options: Options) => Buffer

const methods: Record<string, { sync: Sync; async: (body: InputType, options: Options) => Promise<Buffer> }> = {
  gzip: { sync: zlib.gunzipSync, async: promisify(zlib.gunzip) },
  deflate: { sync: inflateEither, async: inflateEitherLater },
  br: { sync: zlib.brotliDecompressSync as Sync, async: promisify(zlib.brotliDecompress) as never },
  zstd: { sync: zlib.zstdDecompressSync as Sync, async: promisify(zlib.zstdDecompress) as never }
}

/** What is inflated on the spot. A larger body is given to zlib's own threads, so that others need not wait for it. */
const small = 1 << 20
/** Of memory at a time for a larger one: each piece costs a way to another thread and back. */
const largePiece = 1 << 18

/** Large ones go one after the other: bombs that came together would fill the memory, each within its limit. */
let turn: Promise<unknown> = Promise.resolve()

/**
 * Undoes a body's Content-Encoding, stopping at `limit` bytes. An unknown encoding counts as none,
 * and an empty one as well: SDKs send both.
 */
export function inflate(body: Buffer, encoding: string, limit: number): Inflated {
  const name = encoding.trim().toLowerCase().replace(/^x-/, '')
  const method = Object.hasOwn(methods, name) ? methods[name] : undefined

  if (!method) {
    if (body.length > limit) throw new TooLarge()
    return body
  }

  try {
    return method.sync(body, { maxOutputLength: Math.min(small, limit), chunkSize: roomFor(body) })
  } catch (error) {
    if (!isTooLarge(error)) throw new BrokenBody(`The body is not ${encoding}.`)
    if (limit <= small) throw new TooLarge()
  }

  const inflated = turn.then(() => method.async(body, { maxOutputLength: limit, chunkSize: largePiece }))

  turn = inflated.catch(() => {})

  return inflated.catch(error => {
    throw isTooLarge(error) ? new TooLarge() : new BrokenBody(`The body is not ${encoding}.`)
  })
}

/** The encodings by their first bytes, for what is stored without its headers. Brotli has none. */
export function encodingOf(bytes: Buffer) {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return 'gzip'
  if (bytes.length > 4 && bytes.readUInt32LE(0) === 0xfd2fb528) return 'zstd'

  return undefined
}

/**
 * How much memory to inflate into at a time. gzip ends with the size of what went in (RFC 1952 §2.3.1): with just
 * that much, one piece does, and none of it is garbage. It may lie; then it is merely the wrong size of piece.
 */
function roomFor(body: Buffer) {
  const told = encodingOf(body) === 'gzip' && body.length >= 18 ? body.readUInt32LE(body.length - 4) : 0

  return told > 1024 && told < 65_536 ? told + 1 : 16_384
}

// By RFC 9110 "deflate" is zlib's format; some senders mean the bare stream.
function inflateEither(body: Buffer, options: Options) {
  try {
    return zlib.inflateSync(body, options)
  } catch (error) {
    if (isTooLarge(error)) throw error
    return zlib.inflateRawSync(body, options)
  }
}

async function inflateEitherLater(body: InputType, options: Options) {
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
