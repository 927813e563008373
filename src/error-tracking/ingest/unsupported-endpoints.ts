import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify'
import { TooLarge } from '../../lib/inflate.ts'
import type { CachedKey } from './authenticate-key.ts'

interface Options {
  root: string
  door: RouteShorthandOptions
  /** Counts what was taken and not kept. */
  drop: (key: CachedKey, category: string, reason: string) => void
}

/** What is not worked here, and how it is counted. */
const kinds = {
  minidump: 'minidump',
  'unreal/:key': 'unreal_report',
  nel: 'nel',
  'events/:event/attachments': 'attachment',
  'cron/:monitor': 'monitor',
  'cron/:monitor/:key': 'monitor'
}

const most = 200 << 20

/** Crash dumps and the like are read to their end, held nowhere, and counted: no client is kept waiting or told it failed. */
export async function unsupportedEndpoints(app: FastifyInstance, { root, door, drop }: Options) {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', async (_request: FastifyRequest, payload: Readable) => {
    let read = 0

    for await (const chunk of payload) {
      read += (chunk as Buffer).length
      if (read > most) throw new TooLarge()
    }
  })

  for (const [path, category] of Object.entries(kinds)) {
    const count = async (request: FastifyRequest, reply: FastifyReply) => {
      drop(request.clientKey!, category, 'unsupported')

      return category === 'minidump' || category === 'unreal_report' ? reply.type('text/plain').send(randomUUID()) : {}
    }

    app.post(`${root}/${path}`, door, count)
    if (category === 'monitor') app.get(`${root}/${path}`, door, count)
  }
}
