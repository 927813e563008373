import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { enqueueAlerts } from '#alerts/enqueue-alerts.ts'
import { receiveAlerts } from '#alerts/jobs.ts'
import { maxPayloadBytes } from '#alerts/validate-payload.ts'
import { openCounter, sendLimitHeaders } from '#api/limits/rate-limits.ts'
import { readIdempotencyKey } from '#api/parameters/idempotency-key.ts'
import { ignoreInvalidContentType } from '#api/problems/invalid-content-type.ts'
import { collectMethods, refuseOtherMethods } from '#api/problems/other-methods.ts'
import { sendProblem, WrongMethod } from '#api/problems/problems.ts'
import { toProblem } from '#api/problems/render-problems.ts'
import { eventChainOf } from '#lib/event-chain.ts'
import { TooOften } from '#lib/refusals.ts'
import { AbandonedRequests } from '#platform/queue/abandoned-requests.ts'
import { authenticateIntegration, type IntegrationCredentials, integrationCache, readKey } from './authenticate-integration.ts'

declare module 'fastify' {
  interface FastifyRequest {
    integration?: IntegrationCredentials
  }
}

interface Route {
  Params: { project: string; endpoint?: string }
  Body: Buffer | undefined
}

type Request = FastifyRequest<Route>

/** Each URL with the endpoint identifier of integrations without one in the URL. */
const paths = {
  '/:project/alerts/notify': 'legacy',
  '/:project/alerts/notify/:name/:endpoint': '',
  '/:project/prometheus/alerts/notify': 'legacy-prometheus'
}
/** Every refusal takes this long: its time does not reveal whether the project exists. */
const refusalMs = 50
const maxLoggedItems = 10

/** Receives alerts from monitoring tools: authenticates, validates, enqueues, and answers with the worker's receipt. */
export async function alertIntake(app: FastifyInstance) {
  const { config, pool, listener, queues, backlog } = app.platform
  const cache = integrationCache(pool, listener, config.queue.timeoutMs)
  const abandoned = new AbandonedRequests()
  const methods = collectMethods(app)
  const count = await openCounter(app, queues.backend.redis, config.namespace)

  // JSON whatever the Accept header says.
  app.setErrorHandler((error, request, reply) => sendProblem(reply, toProblem(error as FastifyError, request)))
  // Hot path: no child logger per request. Warnings carry the request id.
  app.setChildLoggerFactory(logger => logger)
  ignoreInvalidContentType(app)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxPayloadBytes }, (_request, body, done) => done(null, body))
  app.decorateRequest('integration', undefined)
  app.decorateRequest('limit', undefined)

  for (const [path, endpoint] of Object.entries(paths)) {
    // Hot path: successes go to metrics, not to the log.
    const options = {
      config: { isQuiet: true as const },
      onRequest: (request: Request, reply: FastifyReply) => authorize(request, reply, endpoint)
    }

    app.post<Route>(path, options, receive)
    app.post<Route>(`${path}.json`, options, receive)
  }
  refuseOtherMethods(app, methods, allowed => new WrongMethod(allowed))

  async function authorize(request: Request, reply: FastifyReply, defaultEndpoint: string) {
    const { project, endpoint = defaultEndpoint } = request.params
    const at = performance.now()

    try {
      request.integration = await authenticateIntegration(cache, project, endpoint, readKey(request.headers.authorization))
    } catch (refusal) {
      await sleep(refusalMs - (performance.now() - at))
      throw refusal
    }
    await checkRate(request, reply, request.integration)
    backlog.refuseWhenFull(receiveAlerts.queue)
  }

  async function checkRate(request: Request, reply: FastifyReply, { projectId, requestsPerMinute }: IntegrationCredentials) {
    if (requestsPerMinute === undefined) return
    request.limit = { name: 'throttle_project_alerts', key: `alerts:${projectId}`, max: requestsPerMinute }
    const usage = await count(request)

    if (sendLimitHeaders(reply, request.limit, usage)) throw new TooOften(Math.max(1, Math.ceil(usage.resetMs / 1000)))
  }

  async function receive(request: Request, reply: FastifyReply) {
    const integration = request.integration!
    const { body: payload, headers } = request
    const send = (requestId: string) =>
      enqueueAlerts(app.platform, {
        integration,
        body: payload,
        encoding: headers['content-encoding'],
        requestId,
        chain: eventChainOf(request)
      })
    const givenId = readIdempotencyKey(headers, integration.id)
    const { status, body, skipped } = await (givenId ? send(givenId) : abandoned.track(integration.id, payload, send))

    if (skipped) logSkipped(request, skipped)

    return reply.code(status).send(body)
  }
}

function logSkipped({ log, id, integration }: Request, skipped: unknown[]) {
  log.warn(
    { reqId: id, integration: integration!.id, items: skipped.length, skipped: skipped.slice(0, maxLoggedItems) },
    'skipped items that are not alerts'
  )
}
