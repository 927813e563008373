import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify'
import { TooLarge } from '#lib/inflate.ts'
import type { IngestCounters } from './ingest-counters.ts'

interface Options {
  root: string
  route: RouteShorthandOptions
  counters: IngestCounters
}

/** Outcome categories of the endpoints whose data is not processed. */
const categories = {
  minidump: 'minidump',
  'unreal/:key': 'unreal_report',
  nel: 'nel'
}

const maxBytes = 200 << 20

/** Drains and counts bodies such as crash dumps, and answers with success: a client that gets an error would send them again. */
export async function unsupportedEndpoints(app: FastifyInstance, { root, route, counters }: Options) {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', async (_request: FastifyRequest, payload: Readable) => {
    let bytes = 0

    for await (const chunk of payload) {
      bytes += (chunk as Buffer).length
      if (bytes > maxBytes) throw new TooLarge()
    }
  })

  for (const [path, category] of Object.entries(categories)) {
    const countDropped = async (request: FastifyRequest, reply: FastifyReply) => {
      counters.countDropped(request.clientKey!, category, 'unsupported')

      return category === 'minidump' || category === 'unreal_report' ? reply.type('text/plain').send(randomUUID()) : {}
    }

    app.post(`${root}/${path}`, route, countDropped)
  }
}
