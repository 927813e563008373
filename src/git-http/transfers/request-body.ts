import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { FastifyRequest } from 'fastify'
import { WrongContentType } from '#api/problems/problems.ts'
import { Rejected, TooLarge } from '#lib/refusals.ts'
import { flush, PktLines } from './pkt-lines.ts'

type Chunks = AsyncIterable<Buffer>

/** The chunks of a request's body, decompressed. Throws after `maxBytes`. An error leaves the connection open for the answer. */
export async function* readBody(request: FastifyRequest, maxBytes: number): AsyncGenerator<Buffer, void, void> {
  let bytes = 0

  for await (const chunk of decompressed(request)) {
    bytes += chunk.length
    if (bytes > maxBytes) throw new TooLarge()
    yield chunk
  }
}

/** Throws when the commands of a push are longer than this. They end with a flush, and the pack follows. */
export async function* limitCommands(body: Chunks, maxBytes: number): AsyncGenerator<Buffer, void, void> {
  const lines = new PktLines()
  let bytes = 0
  let isCommands = true

  for await (const chunk of body) {
    if (isCommands) {
      for (const line of lines.push(chunk)) {
        isCommands = !line.equals(flush)
        bytes += line.length
        if (!isCommands) break
      }
      if (bytes > maxBytes) throw new TooLarge('too many references in one push')
      isCommands &&= !lines.isMalformed
    }
    yield chunk
  }
}

async function* decompressed(request: FastifyRequest): Chunks {
  const { raw, headers } = request
  const encoding = headers['content-encoding'] ?? 'identity'

  if (encoding === 'identity') yield* withoutDestroying(raw)
  else if (encoding !== 'gzip' && encoding !== 'x-gzip')
    throw new WrongContentType(`${headers['content-type']} with Content-Encoding: ${encoding}`)
  else yield* gunzip(raw)
}

async function* gunzip(raw: FastifyRequest['raw']): Chunks {
  const stream = raw.pipe(createGunzip())

  raw.once('close', () => raw.complete || stream.destroy(new ClientGone()))
  try {
    yield* withoutDestroying(stream)
  } catch (error) {
    throw error instanceof ClientGone ? error : new Rejected('the body is not gzip')
  } finally {
    stream.destroy()
  }
}

/** Leaving a loop over a request would close its connection. */
function withoutDestroying(stream: Readable): Chunks {
  return { [Symbol.asyncIterator]: () => stream.iterator({ destroyOnReturn: false }) }
}

/** The client closed the connection: no answer is possible. */
export class ClientGone extends Rejected {
  override code = 'client_gone'
}
