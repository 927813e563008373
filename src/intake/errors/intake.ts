import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ignoreInvalidContentType } from '#api/problems/invalid-content-type.ts'
import { collectMethods, refuseOtherMethods } from '#api/problems/other-methods.ts'
import { receiveEnvelopes } from '#errors/jobs.ts'
import { BoundedInflateLimiter } from '#lib/inflate-limiter.ts'
import { isAccepted } from '#platform/problems.ts'
import { checkOrigin } from './allowed-origins.ts'
import { attachmentEnvelope } from './attachments.ts'
import { authenticateKey, type CachedKey, checkDsn, clientKeys, findKey, readPublicKey } from './authenticate-key.ts'
import { allowCrossOrigin } from './cors.ts'
import { cronEndpoint } from './cron-endpoint.ts'
import { EnvelopeQueue } from './envelope-queue.ts'
import { IngestCounters } from './ingest-counters.ts'
import { type IngestError, renderIngestErrors, unsupportedLimit, wrongMethod } from './ingest-error.ts'
import { peekEvent } from './peek-event.ts'
import { checkQuotas, quotaRefusal } from './quota.ts'
import { reportDialog } from './report-dialog.ts'
import { bodyOf, encodingOf, isEnvelope } from './request-body.ts'
import { unsupportedEndpoints } from './unsupported-endpoints.ts'
import { validateEnvelope, validateReport, validateStoreBody } from './validate-envelope.ts'

declare module 'fastify' {
  interface FastifyRequest {
    clientKey?: CachedKey
  }
}

/** The paths of our DSNs, of GitLab's older ones, and of DSNs without a path. */
const bases = ['/errortracking/api/v1/projects/api', '/api/v4/error_tracking/collector/api', '/api']
const roots = bases.map(base => `${base}/:project`)
const dialogPaths = bases.map(base => `${base}/embed/error-page`)

interface Route {
  Params: { project: string; event?: string }
  Body: Buffer | undefined
  Querystring: Record<string, string | undefined>
}

type Request = FastifyRequest<Route>

/** The Sentry ingest API: authenticates the client key, validates the envelope, and enqueues its bytes unchanged. */
export async function errorIntake(app: FastifyInstance, { onDropped }: { onDropped: (reason: string) => void }) {
  const { config, pool, listener, batches, backlog, log } = app.platform
  const keys = clientKeys(pool, listener, config)
  const { maxBytes, maxInflated } = config.envelope
  const counters = new IngestCounters(pool, log, onDropped)
  const envelopes = new EnvelopeQueue(batches, counters)
  const limiter = new BoundedInflateLimiter()

  app.addHook('onClose', () => counters.close())
  renderIngestErrors(app, async ({ clientKey }, { reason }, error) => {
    if (clientKey && !(await isAccepted(error))) counters.countDropped(clientKey, 'envelope', reason)
  })
  allowCrossOrigin(
    app,
    // Digits only, because /api/v4 answers its own preflights.
    [...roots.map(root => `${root.replace(':project', ':project(^\\d+$)')}/*`), ...dialogPaths],
    // Browsers name the key in the query; other keys are checked with the request itself.
    async ({ query, headers }) => checkOrigin((await findKey(keys, (query as Route['Querystring']).sentry_key))?.allowedOrigins, headers)
  )
  ignoreInvalidContentType(app)
  // Hot path: no child logger per request; error logs name the request themselves.
  app.setChildLoggerFactory(logger => logger)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxBytes }, (_request, body, done) => done(null, body))
  app.decorateRequest('clientKey', undefined)

  const route = {
    // Hot path: successes go to metrics, not to the log.
    config: { isQuiet: true as const },
    onRequest: async (request: FastifyRequest) => {
      const publicKey = readPublicKey(request)

      // The header of an envelope may hold the key instead.
      if (publicKey !== undefined || !request.routeOptions.url?.endsWith('/envelope')) await authenticate(request, publicKey)
    }
  }

  /** Refuses events over a quota before their body is read, so that they cost next to nothing. */
  const eventRoute = {
    ...route,
    onRequest: async (request: FastifyRequest) => {
      await route.onRequest(request)
      if (request.clientKey && !isEnvelope(request as Request)) checkQuotas(counters, request.clientKey)
    }
  }
  const methods = collectMethods(app, 'OPTIONS')

  for (const root of roots) {
    app.post<Route>(`${root}/envelope`, route, receiveEnvelope)
    app.post<Route>(`${root}/store`, eventRoute, async (request: Request, reply) =>
      isEnvelope(request) ? receiveEnvelope(request, reply) : receiveEvent(request, reply, bodyOf(request))
    )
    app.get<Route>(`${root}/store`, eventRoute, receivePixel)
    for (const name of ['security', 'csp-report']) app.post<Route>(`${root}/${name}`, eventRoute, receiveSecurityReport)
    app.post<Route>(`${root}/events/:event/attachments`, route, receiveAttachments)
    await app.register(cronEndpoint, { root, route, enqueue: enqueueOwn })
    await app.register(unsupportedEndpoints, { root, route, counters })
  }
  for (const path of dialogPaths) await app.register(reportDialog, { path, authenticate, enqueue: enqueueOwn })
  refuseOtherMethods(app, methods, wrongMethod)

  async function authenticate(request: FastifyRequest, publicKey: string | undefined, projectId = (request as Request).params.project) {
    request.clientKey = await authenticateKey(keys, publicKey, projectId)
    checkOrigin(request.clientKey.allowedOrigins, request.headers)
    backlog.refuseWhenFull(receiveEnvelopes.queue, request.clientKey.projectId)
  }

  async function receiveEnvelope(request: Request, reply: FastifyReply) {
    const body = bodyOf(request)
    const encoding = encodingOf(request)
    const peeked = request.clientKey && peekEvent(body, encoding)
    const { events, hasOthers, unsupported, eventId, dsn } = peeked ?? (await validateEnvelope({ body, encoding, maxInflated }, limiter))

    if (!request.clientKey) await authenticate(request, dsn?.publicKey)
    checkDsn(dsn, request.clientKey!)
    const refusal = events > 0 ? quotaRefusal(counters, request.clientKey!, events) : undefined

    if (refusal && !hasOthers) throw refusal
    if (unsupported.length > 0) askForLess(reply, unsupportedLimit(unsupported))
    if (refusal) return receiveOthers(request, reply, refusal)
    const id = await envelopes.add(request, body, events)

    return events > 0 ? { id: eventId ?? id } : {}
  }

  /** Takes an envelope without its events, which are over a quota. */
  async function receiveOthers(request: Request, reply: FastifyReply, refusal: IngestError) {
    await envelopes.add(request, bodyOf(request), 0, { isOverQuota: true })
    askForLess(reply, refusal.headers['x-sentry-rate-limits']!)

    return {}
  }

  async function receiveEvent(request: Request, reply: FastifyReply, body: Buffer) {
    const { eventId, isTransaction } = validateStoreBody({ body, encoding: encodingOf(request), maxInflated })

    if (isTransaction) askForLess(reply, unsupportedLimit(['transaction']))
    const id = await envelopes.add(request, body, isTransaction ? 0 : 1, { kind: isTransaction ? 'transaction' : 'store' })

    return { id: eventId ?? id }
  }

  /** Old clients, and pages without scripts, send the event in the query of a pixel's URL. */
  async function receivePixel(request: Request, reply: FastifyReply) {
    // An unescaped plus sign of base64 arrives as a space.
    await receiveEvent(
      request,
      reply,
      Buffer.from((request.query.sentry_data ?? '').replace(/^[^{].*/s, text => text.replaceAll(' ', '+')))
    )

    return reply.type('image/gif').send(pixel)
  }

  async function receiveSecurityReport(request: Request) {
    const { sentry_release: release, sentry_environment: environment } = request.query

    validateReport({ body: bodyOf(request), encoding: encodingOf(request), maxInflated })

    return { id: await envelopes.add(request, bodyOf(request), 1, { kind: 'security', release, environment }) }
  }

  /** Files for an event that was sent before or is sent later. */
  async function receiveAttachments(request: Request) {
    const body = bodyOf(request)
    const upload = {
      eventId: request.params.event!,
      body,
      contentType: request.headers['content-type'],
      encoding: encodingOf(request),
      maxBytes
    }
    const envelope = await limiter.run(body.length, () => attachmentEnvelope(upload))

    await enqueueOwn(request, envelope)

    return {}
  }

  /** Enqueues an envelope that was made here, not by the sender. */
  function enqueueOwn(request: FastifyRequest, envelope: Buffer) {
    return envelopes.add(request, envelope, 0, { encoding: '' })
  }
}

/** SDKs read the header of an answer that took what was sent, too. */
function askForLess(reply: FastifyReply, limit: string) {
  const before = reply.getHeader('x-sentry-rate-limits')

  reply.header('x-sentry-rate-limits', before ? `${before}, ${limit}` : limit)
}

const pixel = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
