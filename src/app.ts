import cookie from '@fastify/cookie'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { recordingRoutes } from './activity/recording.ts'
import { activityRoutes } from './activity/routes.ts'
import { projectInOnePart } from './alerts/door/address.ts'
import { alertIntake } from './alerts/door/intake.ts'
import { integrationRoutes } from './alerts/integrations/routes.ts'
import { alertManagement } from './alerts/routes/all.ts'
import { alertSettingRoutes } from './alerts/setting-routes.ts'
import { auditRoutes } from './audit/routes.ts'
import type { Platform } from './boot.ts'
import { errorIntake } from './error-tracking/door/intake.ts'
import { errorTracking } from './error-tracking/routes/all.ts'
import { uploadApi } from './error-tracking/source-maps/api.ts'
import { brokenRequests } from './http/broken-requests.ts'
import { conventions } from './http/conventions.ts'
import { announceDeprecations } from './http/deprecations.ts'
import { guards } from './http/guards.ts'
import { limits } from './http/limits.ts'
import { openapi, openapiRoute } from './http/openapi.ts'
import { overload } from './http/overload.ts'
import { renderProblems } from './http/render.ts'
import { type WriterOf, writeJson } from './http/serialization.ts'
import { versionRoutes } from './http/version.ts'
import { identifyWith } from './identity/identify.ts'
import { identityRoutes } from './identity/routes.ts'
import { issues } from './issues/routes/all.ts'
import { apiPages } from './pages/api.ts'
import { dashboardGuard } from './pages/dashboard-guard.ts'
import { deprecationsPage } from './pages/deprecations.ts'
import { forms } from './pages/forms.ts'
import { homePage } from './pages/home.ts'
import { layout } from './pages/layout.ts'
import { newPasswordPage } from './pages/new-password.ts'
import { problemPage } from './pages/problem-page.ts'
import { processesPage } from './pages/processes.ts'
import { alertIntegrationPages } from './pages/projects/alert-integrations/all.ts'
import { alertSettingsPage } from './pages/projects/alert-settings.ts'
import { alertPages } from './pages/projects/alerts/all.ts'
import { projectsPage } from './pages/projects/list.ts'
import { passwordPage } from './pages/settings/password.ts'
import { profilePage } from './pages/settings/profile.ts'
import { sessionsPage } from './pages/settings/sessions.ts'
import { tokensPage } from './pages/settings/tokens.ts'
import { twoFactorPage } from './pages/settings/two-factor.ts'
import { signInPages } from './pages/sign-in.ts'
import { signInCodePage } from './pages/sign-in-code.ts'
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

interface Options {
  /** For tests, which look closely at every answer. */
  writerOf?: WriterOf
}

/** The web process as a plugin tree: each part with its own shape of errors, and nothing it does not serve. */
export async function buildApp(platform: Platform, { writerOf = writeJson }: Options = {}) {
  const { config } = platform
  const app = Fastify({
    loggerInstance: platform.log as FastifyBaseLogger,
    trustProxy: config.trustProxy,
    requestIdHeader: 'x-request-id',
    forceCloseConnections: 'idle',
    requestTimeout: 60_000,
    ...brokenRequests,
    schemaController: { compilersFactory: { buildSerializer: () => writerOf } },
    // Said once, by `watch`, when all is known.
    logController: new LogController({ disableRequestLogging: true }),
    rewriteUrl: request => projectInOnePart(request.url ?? '/'),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 8192 }
  })

  app.decorate('platform', platform)
  watch(app)
  renderProblems(app, problemPage)
  if (config.isTraced) {
    const { FastifyOtelInstrumentation } = await import('@fastify/otel')
    await app.register(new FastifyOtelInstrumentation().plugin())
  }

  await app.register(health, platform)
  if (config.webRole !== 'api') {
    await app.register(errorIntake)
    await app.register(alertIntake)
  }
  if (config.webRole !== 'intake') await app.register(interactive)

  return app
}

/** What people and API clients use, as opposed to what machines send to. */
async function interactive(app: FastifyInstance) {
  const { queues, fork } = app.platform

  await app.register(overload)
  await app.register(cookie)
  await app.register(guards, { identify: identifyWith(fork) })
  await app.register(limits)
  await app.register(announceDeprecations)
  await app.register(openapi)
  await app.register(async app => {
    await app.register(layout)
    await app.register(pages)
    await app.register(dashboard, { path: '/admin/queues', queues, guard: dashboardGuard(app) })
    await app.register(apiPages)
    await app.register(deprecationsPage)
  })
  await app.register(restApi, { prefix: '/api/v4' })
  await app.register(uploadApi, { prefix: '/api/0' })
  // Where GitLab's own error-tracking clients look for the same.
  await app.register(
    async app => {
      await conventions(app)
      await app.register(errorTracking, { path: '/projects/:id' })
    },
    { prefix: '/errortracking/api/v1' }
  )
}

/** What is made of forms, and takes in nothing but its own. */
async function pages(app: FastifyInstance) {
  await app.register(forms)
  await app.register(homePage)
  await app.register(signInPages)
  await app.register(signInCodePage)
  await app.register(newPasswordPage)
  await app.register(profilePage)
  await app.register(passwordPage)
  await app.register(twoFactorPage)
  await app.register(sessionsPage)
  await app.register(tokensPage)
  await app.register(projectsPage)
  await app.register(alertIntegrationPages)
  await app.register(alertSettingsPage)
  await app.register(alertPages)
  await app.register(processesPage, { path: '/admin/processes', guard: dashboardGuard(app) })
}

async function restApi(app: FastifyInstance) {
  await conventions(app)

  await app.register(openapiRoute)
  await app.register(versionRoutes)
  await app.register(identityRoutes)
  followFormerPaths(app)
  await app.register(projectRoutes)
  await app.register(projectListRoutes)
  await app.register(lifecycleRoutes)
  await app.register(groupRoutes)
  await app.register(groupListRoutes)
  await app.register(auditRoutes)
  await app.register(activityRoutes)
  await app.register(recordingRoutes)
  for (const kind of ['projects', 'groups'] as const) {
    await app.register(memberRoutes, { kind })
    await app.register(newMemberRoutes, { kind })
  }
  await app.register(errorTracking, { path: '/projects/:id/error_tracking' })
  await app.register(alertManagement)
  await app.register(issues)
  await app.register(integrationRoutes)
  await app.register(alertSettingRoutes)
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
