import cookie from '@fastify/cookie'
import formbody from '@fastify/formbody'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { auditRoutes } from './audit/routes.ts'
import type { Platform } from './boot.ts'
import { errorIntake } from './error-tracking/intake.ts'
import { errorRoutes } from './error-tracking/routes.ts'
import { errorSettingsRoutes } from './error-tracking/settings-routes.ts'
import { guards } from './http/guards.ts'
import { readParameters } from './http/params.ts'
import { renderProblems } from './http/problems.ts'
import { identifyWith } from './identity/identify.ts'
import { identityRoutes } from './identity/routes.ts'
import { dashboardGuard } from './pages/dashboard-guard.ts'
import { layout } from './pages/layout.ts'
import { processesPage } from './pages/processes.ts'
import { signInPages } from './pages/sign-in.ts'
import { dashboard } from './platform/dashboard.ts'
import { health } from './platform/health.ts'
import { webMetrics } from './platform/metrics.ts'
import { followFormerPaths } from './projects/former-path.ts'
import { groupListRoutes } from './projects/group-list-routes.ts'
import { groupRoutes } from './projects/group-routes.ts'
import { lifecycleRoutes } from './projects/lifecycle-routes.ts'
import { projectListRoutes } from './projects/list-routes.ts'
import { memberRoutes } from './projects/member-routes.ts'
import { newMemberRoutes } from './projects/new-member-routes.ts'
import { projectRoutes } from './projects/routes.ts'

declare module 'fastify' {
  interface FastifyInstance {
    platform: Platform
  }
}

/** The web process as a plugin tree: each part with its own shape of errors, and nothing it does not serve. */
export async function buildApp(platform: Platform) {
  const { config } = platform
  const app = Fastify({
    loggerInstance: platform.log as FastifyBaseLogger,
    trustProxy: config.trustProxy,
    requestIdHeader: 'x-request-id',
    forceCloseConnections: 'idle',
    requestTimeout: 60_000,
    // Said once, by `watch`, when all is known.
    logController: new LogController({ disableRequestLogging: true }),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 1000 }
  })

  app.decorate('platform', platform)
  watch(app)
  renderProblems(app)
  if (config.isTraced) {
    const { FastifyOtelInstrumentation } = await import('@fastify/otel')
    await app.register(new FastifyOtelInstrumentation().plugin())
  }

  await app.register(health, platform)
  if (config.webRole !== 'api') await app.register(errorIntake)
  if (config.webRole !== 'intake') await app.register(interactive)

  return app
}

/** What people and API clients use, as opposed to what machines send to. */
async function interactive(app: FastifyInstance) {
  const { queues, fork } = app.platform

  await app.register(cookie)
  await app.register(guards, { identify: identifyWith(fork) })
  await app.register(async app => {
    await app.register(layout)
    await app.register(formbody)
    await app.register(signInPages)
    await app.register(processesPage, { path: '/admin/processes', guard: dashboardGuard(app) })
    await app.register(dashboard, { path: '/admin/queues', queues, guard: dashboardGuard(app) })
    app.get('/', async (_request, reply) => reply.redirect('/admin/queues'))
  })
  await app.register(restApi, { prefix: '/api/v4' })
}

async function restApi(app: FastifyInstance) {
  readParameters(app)

  await app.register(identityRoutes)
  followFormerPaths(app)
  await app.register(projectRoutes)
  await app.register(projectListRoutes)
  await app.register(lifecycleRoutes)
  await app.register(groupRoutes)
  await app.register(groupListRoutes)
  await app.register(auditRoutes)
  for (const kind of ['projects', 'groups'] as const) {
    await app.register(memberRoutes, { kind })
    await app.register(newMemberRoutes, { kind })
  }
  await app.register(errorSettingsRoutes)
  await app.register(errorRoutes)
}

function watch(app: FastifyInstance) {
  const { registry, batches, backlog } = app.platform
  const metrics = webMetrics(registry)

  app.addHook('onResponse', (request, reply, done) => {
    metrics.request(request.routeOptions.url ?? 'unknown', request.method, reply.statusCode, reply.elapsedTime)
    if (!request.routeOptions.config.isQuiet) request.log.info({ req: request, res: reply, responseTime: reply.elapsedTime }, 'answered')
    done()
  })
  batches.onBatch = (queue, items) => {
    metrics.batch(queue, items)
    backlog.added(queue, items)
  }
}
