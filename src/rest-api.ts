import type { FastifyInstance } from 'fastify'
import { alertRoutes } from './alerts/alert-routes.ts'
import { integrationRoutes } from './alerts/integrations/integration-routes.ts'
import { alertSettingRoutes } from './alerts/setting-routes.ts'
import { conventions } from './api/conventions.ts'
import { openapiRoute } from './api/openapi/openapi.ts'
import { Moved } from './api/problems/moved.ts'
import { Problem } from './api/problems/problems.ts'
import { versionRoutes } from './api/version.ts'
import { errorTracking } from './errors/routes.ts'
import { identityRoutes } from './identity/routes.ts'
import { incidentRoutes } from './incidents/routes.ts'
import { instanceSettingRoutes } from './instance-settings/instance-setting-routes.ts'
import { recordingRoutes } from './intake/activity/record-routes.ts'
import { issueRoutes } from './issues/issue-routes.ts'
import { mcpRoutes } from './mcp/mcp-routes.ts'
import { FormerPath } from './namespaces/former-path.ts'
import { notificationRoutes } from './notifications/routes.ts'
import { applicationRoutes } from './oauth/applications/application-routes.ts'
import { projects } from './projects/routes.ts'
import { searchRoutes } from './search/search-routes.ts'
import { SpamDetected } from './spam/spam-detected.ts'
import { storageMoveRoutes } from './storage-moves/move-routes.ts'
import { projectStorageRoutes } from './storage-moves/project-storage.ts'

/** REST API v4, shaped like GitLab's. */
export async function restApi(app: FastifyInstance) {
  await conventions(app)

  await app.register(openapiRoute)
  await app.register(versionRoutes)
  await app.register(identityRoutes)
  renderOwnWay(app)
  await app.register(projects)
  await app.register(recordingRoutes)
  await app.register(errorTracking, { path: '/projects/:id/error_tracking' })
  await app.register(alertRoutes)
  await app.register(issueRoutes)
  await app.register(incidentRoutes)
  await app.register(searchRoutes)
  await app.register(integrationRoutes)
  await app.register(alertSettingRoutes)
  await app.register(notificationRoutes)
  await app.register(storageMoveRoutes)
  await app.register(projectStorageRoutes)
  await app.register(mcpRoutes)
  await app.register(applicationRoutes)
  await app.register(instanceSettingRoutes)
  for (const { routes } of app.platform.extras) if (routes) await app.register(routes)
}

/** Refusals that only the REST API answers with more than their kind. */
function renderOwnWay(app: FastifyInstance) {
  app.setErrorHandler((error, request) => {
    if (error instanceof FormerPath) throw new Moved(request, error)
    throw error instanceof SpamDetected ? captchaProblem(error) : error
  })
}

/** Clients solve the CAPTCHA, and send the write again with `captcha_response` and `spam_log_id`. */
function captchaProblem({ message, captcha }: SpamDetected) {
  return new Problem(409, {
    ...(captcha && { needs_captcha_response: true, spam_log_id: captcha.spamLogId, captcha_site_key: captcha.siteKey }),
    message: { error: message }
  })
}
