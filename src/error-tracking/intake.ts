import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Envelope, readEventId, splitEnvelope } from './envelope.ts'
import { authenticateKey, clientKeys, type KnownKey } from './guard.ts'
import { inflate, TooLarge } from './inflate.ts'
import { receiveEnvelopes } from './jobs.ts'
import { peekEventId } from './peek.ts'
import { renderRefusals } from './refusal.ts'

declare module 'fastify' {
  interface FastifyRequest {
    clientKey?: KnownKey
  }
}

/** An event as such, without its attachments. */
const largestEvent = 1 << 20

type Request = FastifyRequest<{ Params: { project: string }; Body: Buffer | undefined }>

/** The door for SDKs: a key is checked, an envelope looked over, and put into the queue as it came. */
export async function errorIntake(app: FastifyInstance) {
  const { config, pool, listener, batches, backlog } = app.platform
  const keys = clientKeys(pool, listener)

  renderRefusals(app)
  // A logger for each request would cost more than anything said with it; what goes wrong names its request.
  app.setChildLoggerFactory(logger => logger)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: config.envelope.maxBytes }, (_request, body, done) => done(null, body))
  app.decorateRequest('clientKey', undefined)

  app.post(
    '/errortracking/api/v1/projects/api/:project/envelope',
    {
      // Thousands a second: what went well is counted, not logged.
      config: { isQuiet: true },
      onRequest: async request => {
        request.clientKey = await authenticateKey(keys, request as Request)
        backlog.refuseWhenFull(receiveEnvelopes.queue)
      }
    },
    async (request: Request) => {
      const body = request.body ?? Buffer.alloc(0)
      const encoding = request.headers['content-encoding'] ?? ''
      const seen = await lookOver(body, encoding, config.envelope.maxInflated)
      const id = randomUUID().replaceAll('-', '')

      await batches.add(receiveEnvelopes, {
        projectId: request.clientKey!.projectId,
        keyId: request.clientKey!.id,
        receivedAt: new Date().toISOString(),
        id,
        encoding,
        body: body.toString('base64')
      })

      return seen.hasEvent ? { id: seen.eventId ?? id } : {}
    }
  )
}

/** Whether it is an envelope at all, and what its event is called. */
async function lookOver(body: Buffer, encoding: string, limit: number) {
  const eventId = /^(x-)?gzip$/i.test(encoding) ? peekEventId(body, largestEvent) : undefined

  if (eventId) return { hasEvent: true, eventId }
  const envelope = splitEnvelope(await inflate(body, encoding, limit))

  return { hasEvent: envelope.items.some(({ type }) => type === 'event'), eventId: eventIdOf(envelope) }
}

/** Most SDKs name the event in the envelope's header; for the others it is read out of the event. */
function eventIdOf({ header, items }: Envelope) {
  const event = items.find(({ type }) => type === 'event')

  if (event && event.payload.length > largestEvent) throw new TooLarge()
  const fromHeader = readEventId(header.event_id)

  if (fromHeader || !event) return fromHeader

  try {
    return readEventId(JSON.parse(event.payload.toString('utf8'))?.event_id)
  } catch {
    return undefined
  }
}
