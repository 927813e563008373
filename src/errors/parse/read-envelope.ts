import { inflate, inflateChunks, isCompressed, TooLarge } from '#lib/inflate.ts'
import type { InflateLimiter } from '#lib/inflate-limiter.ts'
import { type EnvelopeHandler, EnvelopeParser } from './envelope-parser.ts'

export interface CompressedBody {
  body: Buffer
  encoding: string
  maxInflated: number
}

/** Up to this size, bodies are inflated at once: chunks from other threads would take longer. */
const smallBytes = 1 << 20

/** Reads an envelope and then runs `use`. Larger ones are read in chunks, a few at a time, and hold their turn until then. */
export async function readEnvelope<T>(
  { body, encoding, maxInflated }: CompressedBody,
  limiter: InflateLimiter,
  handler: EnvelopeHandler,
  use: () => T | Promise<T>
): Promise<T> {
  const parser = new EnvelopeParser(handler)
  const small = inflateSmall(body, encoding, maxInflated)

  if (small) {
    parser.push(small)
    parser.end()
    return use()
  }

  return limiter.run(body.length, async () => {
    for await (const chunk of inflateChunks(body, encoding, maxInflated)) parser.push(chunk)
    parser.end()

    return use()
  })
}

/** Undefined for a body that is larger when inflated. */
function inflateSmall(body: Buffer, encoding: string, maxInflated: number) {
  if (!isCompressed(body, encoding)) return inflate(body, encoding, maxInflated)

  try {
    return inflate(body, encoding, Math.min(smallBytes, maxInflated))
  } catch (error) {
    if (!(error instanceof TooLarge) || maxInflated <= smallBytes) throw error
    return undefined
  }
}
