import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { openCounter, sendLimitHeaders } from '../../http/limits/rate-limits.ts'
import { BadRequest, sendProblem, TooManyRequests } from '../../http/problems/problems.ts'
import { toProblem } from '../../http/problems/render-problems.ts'
import { receiveAlerts } from '../jobs.ts'
import { authenticateIntegration, type IntegrationCredentials, integrationCache, readKey } from './authenticate-integration.ts'
import { enqueueAlerts } from './enqueue-alerts.ts'
import { maxPayloadBytes } from './validate-payload.ts'

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

/** The addresses, and the endpoints of those that name none. */
const roots = {
  '/:project/alerts/notify': 'legacy',
  '/:project/alerts/notify/:name/:endpoint': '',
  '/:project/prometheus/alerts/notify': 'legacy-prometheus'
}
/** A refusal takes this long whatever its reason, so that its time tells nothing of it. */
const refusalMs = 50
const longestKey = 255
const mostReported = 10

/** The door for monitoring tools: a key is checked, the payload is looked over, and its sender is told what became of it. */
export async function alertIntake(app: FastifyInstance) {
  const { config, pool, listener, queues, backlog } = app.platform
  const known = integrationCache(pool, listener)
  const count = await openCounter(app, queues.backend.redis, config.namespace)

  // In JSON even for those who say that they would rather have a page.
  app.setErrorHandler((error, request, reply) => sendProblem(reply, toProblem(error as FastifyError, request)))
  // A logger for each request would cost more than anything said with it; what goes wrong names its request.
  app.setChildLoggerFactory(logger => logger)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxPayloadBytes }, (_request, body, done) => done(null, body))
  app.decorateRequest('integration', undefined)
  app.decorateRequest('limit', undefined)

  for (const [root, endpoint] of Object.entries(roots)) {
    // Thousands a second: what went well is counted, not logged.
    const door = {
      config: { isQuiet: true as const },
      onRequest: (request: Request, reply: FastifyReply) => admit(request, reply, endpoint)
    }

    app.post<Route>(root, door, take)
    app.post<Route>(`${root}.json`, door, take)
  }

  async function admit(request: Request, reply: FastifyReply, unnamed: string) {
    const { project, endpoint = unnamed } = request.params
    const at = performance.now()

    try {
      request.integration = await authenticateIntegration(known, project, endpoint, readKey(request.headers.authorization))
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

    if (sendLimitHeaders(reply, request.limit, usage)) throw new TooManyRequests(Math.max(1, Math.ceil(usage.resetMs / 1000)))
  }

  async function take(request: Request, reply: FastifyReply) {
    const integration = request.integration!
    const { status, body, skipped } = await enqueueAlerts(app.platform, {
      integration,
      body: request.body,
      encoding: request.headers['content-encoding'],
      requestId: requestId(integration.id, request.headers['idempotency-key'])
    })

    if (skipped) report(request, skipped)

    return reply.code(status).send(body)
  }
}

/** What of a payload was no alert, and why. */
function report({ log, id, integration }: Request, skipped: unknown[]) {
  log.warn(
    { reqId: id, integration: integration!.id, items: skipped.length, skipped: skipped.slice(0, mostReported) },
    'items were no alerts'
  )
}

/** A sender that repeats a request says so with its key; without one every request is another. */
function requestId(integrationId: number, key: string | string[] | undefined) {
  if (key === undefined) return undefined
  if (typeof key !== 'string' || key === '' || key.length > longestKey) {
    throw new BadRequest(`Idempotency-Key must have 1 to ${longestKey} characters`)
  }

  return hash('sha256', `${integrationId} ${key}`).slice(0, 32)
}
