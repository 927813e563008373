import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ItemOf } from '../../platform/queue/job.ts'
import { receiveEnvelopes } from '../jobs.ts'
import { authenticateKey, type CachedKey, clientKeys, readKey } from './authenticate-key.ts'
import { ignoreInvalidContentType } from './content-type.ts'
import { allowCrossOrigin } from './cors.ts'
import { renderIngestErrors } from './ingest-error.ts'
import { Ledger } from './outcome-counters.ts'
import { checkQuotas, claimQuotas } from './quota.ts'
import { isSpike } from './spike-protection.ts'
import { unsupportedEndpoints } from './unsupported-endpoints.ts'
import { glance, validateEnvelope, validateStoreRequest } from './validate-envelope.ts'

declare module 'fastify' {
  interface FastifyRequest {
    clientKey?: CachedKey
  }
}

/** Where SDKs go with the DSN that is given out here, with GitLab's older one, and with one that has no path. */
const roots = ['/errortracking/api/v1/projects/api/:project', '/api/v4/error_tracking/collector/api/:project', '/api/:project']

interface Route {
  Params: { project: string }
  Body: Buffer | undefined
  Querystring: Record<string, string | undefined>
}

type Request = FastifyRequest<Route>
type Extras = Pick<ItemOf<typeof receiveEnvelopes>, 'kind' | 'release' | 'environment'>

/** The door for SDKs: a key is checked, what came is looked over, and put into the queue as it came. */
export async function errorIntake(app: FastifyInstance) {
  const { config, pool, listener, batches, backlog } = app.platform
  const keys = clientKeys(pool, listener, config.projectEventsPerMinute)
  const limit = config.envelope.maxInflated

  const ledger = new Ledger(pool, app.platform.log)

  app.addHook('onClose', () => ledger.close())
  renderIngestErrors(app, ({ clientKey }, { reason }) => clientKey && ledger.drop(clientKey.projectId, 'envelope', reason))
  allowCrossOrigin(
    app,
    // By number, so that what the API says of its own addresses is left to it.
    roots.map(root => `${root.replace(':project', ':project(^\\d+$)')}/*`)
  )
  ignoreInvalidContentType(app)
  // A logger for each request would cost more than anything said with it; what goes wrong names its request.
  app.setChildLoggerFactory(logger => logger)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: config.envelope.maxBytes }, (_request, body, done) => done(null, body))
  app.decorateRequest('clientKey', undefined)

  const door = {
    // Thousands a second: what went well is counted, not logged.
    config: { isQuiet: true as const },
    onRequest: async (request: FastifyRequest) => {
      const key = readKey(request)

      // An envelope may carry its key itself.
      if (key !== undefined || !request.routeOptions.url?.endsWith('/envelope')) await admit(request as Request, key)
    }
  }

  for (const root of roots) {
    app.post<Route>(`${root}/envelope`, door, takeEnvelope)
    app.post<Route>(`${root}/store`, door, async (request: Request) =>
      isEnvelope(request) ? takeEnvelope(request) : takeEvent(request, bodyOf(request))
    )
    app.get<Route>(`${root}/store`, door, takePixel)
    for (const name of ['security', 'csp-report']) app.post<Route>(`${root}/${name}`, door, takeReport)
    await app.register(unsupportedEndpoints, { root, door, drop: (key, category, reason) => ledger.drop(key.projectId, category, reason) })
  }

  async function admit(request: Request, key: string | undefined) {
    request.clientKey = await authenticateKey(keys, key, request.params.project)
    checkQuotas(ledger, request.clientKey)
    backlog.refuseWhenFull(receiveEnvelopes.queue, request.clientKey.projectId)
  }

  async function takeEnvelope(request: Request) {
    const body = bodyOf(request)
    const encoding = encodingOf(request)
    const seen = (request.clientKey && glance(body, encoding)) ?? (await validateEnvelope(body, encoding, limit))

    if (!request.clientKey) await admit(request, seen.key)
    const id = await enqueue(request, body, seen.events)

    return seen.events > 0 ? { id: seen.eventId ?? id } : {}
  }

  async function takeEvent(request: Request, body: Buffer, extras: Extras = { kind: 'store' }) {
    const { eventId, events } = await validateStoreRequest(body, encodingOf(request), limit)
    const id = await enqueue(request, body, events, extras)

    return { id: eventId ?? id }
  }

  /** What pages without scripts, or very old ones, do: the event is in the address. */
  async function takePixel(request: Request, reply: FastifyReply) {
    // A plus sign of base64 that nobody escaped arrives as a space.
    await takeEvent(request, Buffer.from((request.query.sentry_data ?? '').replace(/^[^{].*/s, given => given.replaceAll(' ', '+'))))

    return reply.type('image/gif').send(pixel)
  }

  async function takeReport(request: Request) {
    const { sentry_release: release, sentry_environment: environment } = request.query

    return takeEvent(request, bodyOf(request), { kind: 'security', release, environment })
  }

  async function enqueue(request: Request, body: Buffer, events: number, extras: Extras = {}) {
    const key = request.clientKey!
    const id = randomUUID().replaceAll('-', '')
    const isInSpike = events > 0 && isSpike(ledger, key)
    const giveBack = events > 0 ? claimQuotas(ledger, key, events) : undefined
    const added = batches.add(receiveEnvelopes, {
      projectId: key.projectId,
      keyId: key.id,
      receivedAt: new Date().toISOString(),
      id,
      encoding: encodingOf(request),
      body: body.toString('base64'),
      ...(events > 1 && { events }),
      ...(isInSpike && { isInSpike }),
      ...extras
    })

    if (giveBack) added.catch(giveBack)
    await added

    return id
  }
}

const pixel = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

function isEnvelope({ headers }: Request) {
  return headers['content-type']?.startsWith('application/x-sentry-envelope')
}

function bodyOf(request: Request) {
  return request.body ?? Buffer.alloc(0)
}

function encodingOf({ headers }: Request) {
  return headers['content-encoding'] ?? ''
}
