import { randomUUID } from 'node:crypto'
import cookie from '@fastify/cookie'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyServerOptions, LogController } from 'fastify'
import { avatarRoutes } from './api/avatars.ts'
import { protectBrowsers } from './api/browser-headers.ts'
import { conventions } from './api/conventions.ts'
import { deprecationHeaders } from './api/deprecations/deprecations.ts'
import { encodeFilePath } from './api/file-path.ts'
import { guards } from './api/guards/guards.ts'
import { limitBodyTime } from './api/limits/body-time.ts'
import { readForwardedAddresses } from './api/limits/forwarded-addresses.ts'
import { overload } from './api/limits/overload.ts'
import { limits } from './api/limits/rate-limits.ts'
import { openapi } from './api/openapi/openapi.ts'
import { jsonParser } from './api/parameters/json-body.ts'
import { brokenRequests } from './api/problems/broken-requests.ts'
import { rejectUnknownPaths, renderProblems } from './api/problems/render-problems.ts'
import { lazySerializers } from './api/serialization.ts'
import type { Platform } from './boot.ts'
import type { Config } from './config.ts'
import { dashboardGuard } from './dashboard/dashboard-guard.ts'
import { dashboard } from './dashboard/queue-dashboard.ts'
import { boardPath } from './dashboard/queues-page.ts'
import { pushRoute } from './errors/commits/push-route.ts'
import { errorTracking } from './errors/routes.ts'
import { sentryApi } from './errors/sentry-api/routes.ts'
import { encodeGitPath } from './git-http/git-path.ts'
import { gitRoutes } from './git-http/git-routes.ts'
import { projectTarget } from './git-http/project-target.ts'
import { wikiTarget } from './git-http/wiki-target.ts'
import { accessTokenStrategy } from './identity/credentials/access-token.ts'
import { jobTokenStrategy } from './identity/credentials/job-token.ts'
import { sessionStrategy } from './identity/credentials/session.ts'
import { deployTokenStrategy, identifyWith } from './identity/identify.ts'
import { requestContext } from './identity/request-context.ts'
import { alertIntake } from './intake/alerts/intake.ts'
import { encodeProjectPath } from './intake/alerts/project-path.ts'
import { dsnAuthentication } from './intake/errors/authenticate-dsn.ts'
import { errorIntake } from './intake/errors/intake.ts'
import { resourceMetadata } from './mcp/resource-metadata.ts'
import { discovery } from './oauth/openid/discovery.ts'
import { oauthEndpoints } from './oauth/routes.ts'
import { oauthTokenStrategy } from './oauth/tokens/oauth-token-strategy.ts'
import { apiPages } from './pages/api/api.ts'
import { deprecationsPage } from './pages/api/deprecations.ts'
import { icon } from './pages/layout/assets.ts'
import { layout } from './pages/layout/layout.ts'
import { problemPage } from './pages/layout/problem-page.ts'
import { namespacePage } from './pages/namespaces/namespace-page.ts'
import { pages } from './pages/pages.ts'
import { health } from './platform/observability/health.ts'
import { webMetrics } from './platform/observability/metrics.ts'
import { refuseReadOnly } from './projects/visibility/refuse-read-only.ts'
import { restApi } from './rest-api.ts'

declare module 'fastify' {
  interface FastifyInstance {
    platform: Platform
  }
}

/** The web process as a tree of plugins. Tests check every response in a `schemaController`. */
export async function buildApp(
  platform: Platform,
  { schemaController = lazySerializers }: Pick<FastifyServerOptions, 'schemaController'> = {}
) {
  const { config } = platform
  const app = Fastify({
    loggerInstance: platform.log as FastifyBaseLogger,
    trustProxy: trustedProxies(config.trustProxy),
    requestIdHeader: 'x-request-id',
    genReqId: () => randomUUID(),
    forceCloseConnections: 'idle',
    // `limitBodyTime` replaces it: a push takes as long as its pack.
    requestTimeout: 0,
    ...brokenRequests,
    // `observeRequests` logs each request once, with its response.
    logController: new LogController({ disableRequestLogging: true }),
    rewriteUrl: request => encodeFilePath(encodeGitPath(encodeProjectPath(request.url ?? '/'))),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 8192 },
    schemaController
  })

  app.decorate('platform', platform)
  readForwardedAddresses(app)
  const metrics = observeRequests(app)
  protectBrowsers(app)
  limitBodyTime(app)
  renderProblems(app, problemPage)
  // For paths that do not exist, too.
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser('application/json', { parseAs: 'string' }, jsonParser(app))
  if (config.isTraced) {
    const { FastifyOtelInstrumentation } = await import('@fastify/otel')
    await app.register(new FastifyOtelInstrumentation().plugin())
  }

  await app.register(health, platform)
  if (config.webRole !== 'api') {
    await app.register(errorIntake, { onDropped: metrics.dropped })
    await app.register(alertIntake)
  }
  if (config.webRole === 'intake') rejectUnknownPaths(app)
  else await app.register(interactive)

  return app
}

/** Fastify takes a number of hops only as a function: it cannot see whether the peer is the proxy. */
function trustedProxies(proxies: Config['trustProxy'] = []) {
  return typeof proxies === 'number' ? (_address: string, hop: number) => hop < proxies : proxies
}

const strategies = [jobTokenStrategy, deployTokenStrategy, oauthTokenStrategy, accessTokenStrategy, sessionStrategy]

/** Pages and REST APIs, as opposed to intake. */
async function interactive(app: FastifyInstance) {
  const { config, extras, queues, fork } = app.platform

  await app.register(overload)
  await app.register(cookie)
  await app.register(guards, { identify: identifyWith(fork, strategies), intakeTimeoutMs: config.queue.timeoutMs })
  await app.register(requestContext)
  await app.register(limits)
  rejectUnknownPaths(app, namespacePage)
  await app.register(deprecationHeaders)
  await app.register(openapi)
  refuseReadOnly(app)
  await app.register(avatarRoutes)
  await app.register(async app => {
    await app.register(layout)
    await app.register(pages)
    await app.register(dashboard, { path: boardPath, queues, icon: icon.path, guard: dashboardGuard(app) })
    await app.register(apiPages)
    await app.register(deprecationsPage)
  })
  await app.register(gitRoutes, {
    oauthTokens: oauthTokenStrategy,
    targets: [projectTarget, ...extras.flatMap(({ gitTargets = [] }) => gitTargets), wikiTarget]
  })
  for (const { endpoints } of extras) if (endpoints) await app.register(endpoints)
  await app.register(restApi, { prefix: '/api/v4' })
  await app.register(pushRoute)
  await app.register(oauthEndpoints, { prefix: '/oauth' })
  await app.register(discovery)
  await app.register(resourceMetadata)
  await app.register(sentryApi, { prefix: '/api/0', authenticateDsn: dsnAuthentication(app.platform) })
  // GitLab's error-tracking clients use this prefix.
  await app.register(
    async app => {
      await conventions(app)
      await app.register(errorTracking, { path: '/projects/:id' })
    },
    { prefix: '/errortracking/api/v1' }
  )
}

function observeRequests(app: FastifyInstance) {
  const { registry, batches } = app.platform
  const metrics = webMetrics(registry)
  let isClosing = false

  app.addHook('preClose', async () => {
    isClosing = true
  })
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    done()
  })
  app.addHook('onSend', (_request, reply, _payload, done) => {
    // A kept connection would outlive the last response, and delay the end of the process.
    if (isClosing) reply.header('connection', 'close')
    // Fastify closes the connection, and a client that is still sending would get a reset. Node reads the rest, for up to a minute (`limitBodyTime`).
    else if (reply.statusCode === 413) reply.removeHeader('connection')
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    if (request.routeOptions.config.isLive && reply.raw.statusCode === 200) return done()
    metrics.request(request.routeOptions.url ?? 'unknown', request.method, reply.statusCode, reply.elapsedTime)
    if (!request.routeOptions.config.isQuiet) request.log.info({ req: request, res: reply, responseTime: reply.elapsedTime }, 'answered')
    done()
  })
  batches.onBatch = metrics.batch

  return metrics
}
