import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyError, FastifyInstance } from 'fastify'
import Type from 'typebox'
import { conventions } from '#api/conventions.ts'
import type { Problem } from '#api/problems/problems.ts'
import { toProblem } from '#api/problems/render-problems.ts'
import { assembleRoutes } from '../source-maps/upload/assemble-routes.ts'
import { chunkRoutes } from '../source-maps/upload/chunk-routes.ts'
import { attachmentRoutes } from './attachment-routes.ts'
import { clientKeyRoutes } from './client-key-routes.ts'
import { deployRoutes } from './deploy-routes.ts'
import { eventRoutes } from './event-routes.ts'
import { type FeedbackOptions, feedbackRoutes } from './feedback-routes.ts'
import { issueRoutes } from './issue-routes.ts'
import { monitorRoutes } from './monitor-routes.ts'
import { oneIssueRoutes } from './one-issue-routes.ts'
import { organizationIssueRoutes } from './organization-issue-routes.ts'
import { organizationRoutes } from './organization-routes.ts'
import { releaseRoutes } from './release-routes.ts'
import { teamRoutes } from './team-routes.ts'

/**
 * The part of Sentry's API that `sentry-cli`, bundler plugins and Sentry's MCP server use. An organization is the full path of a group or a
 * user's namespace (`company/team`); a project is its path in there, its full path or its id.
 */
export async function sentryApi(app: FastifyInstance, { authenticateDsn }: FeedbackOptions) {
  await conventions(app)
  app.setErrorHandler((error, request, reply) => {
    const problem = toProblem(error as FastifyError, request)

    return reply
      .code(problem.status)
      .headers(problem.headers)
      .send({ detail: detailOf(problem) })
  })

  for (const routes of [
    tokenRoute,
    organizationRoutes,
    monitorRoutes,
    releaseRoutes,
    deployRoutes,
    issueRoutes,
    oneIssueRoutes,
    organizationIssueRoutes,
    eventRoutes,
    attachmentRoutes,
    clientKeyRoutes,
    teamRoutes,
    chunkRoutes,
    assembleRoutes
  ])
    await app.register(routes)
  await app.register(feedbackRoutes, { authenticateDsn })
}

/** Clients expect one sentence. */
function detailOf(problem: Problem) {
  const { error } = typeof problem.body === 'string' ? {} : problem.body

  return typeof error === 'string' ? error : problem.summary()
}

const SentryUser = Type.Object({ id: Type.String(), username: Type.String(), name: Type.String(), email: Type.String() })

const TokenInfo = Type.Object({
  version: Type.String(),
  user: SentryUser,
  auth: Type.Object({ scopes: Type.Array(Type.String()) })
})

/** Lets `sentry-cli info` and `login` validate a token. */
const tokenRoute: FastifyPluginAsyncTypebox = async app => {
  app.get(
    '/auth',
    { onRequest: app.requireUser, schema: { summary: 'Get the user of the token', response: { 200: SentryUser } } },
    async ({ user: { id, username, name, email } }) => ({ id: String(id), username, name, email: email ?? username })
  )

  app.get('/', { onRequest: app.requireUser, schema: { summary: 'Get the token owner', response: { 200: TokenInfo } } }, async request => {
    const { id, username, name, email } = request.user
    const { scopes } = request.caller!

    return {
      version: '0',
      user: { id: String(id), username, name, email: email ?? username },
      auth: { scopes: scopes === 'all' ? ['api'] : scopes }
    }
  })
}
