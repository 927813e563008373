import type { FastifyError, FastifyInstance } from 'fastify'
import { conventions } from '../../../http/conventions.ts'
import type { Problem } from '../../../http/problems/problems.ts'
import { toProblem } from '../../../http/problems/render-problems.ts'
import { assembleRoutes } from './assemble-routes.ts'
import { chunkRoutes } from './chunk-routes.ts'
import { releaseRoutes } from './release-routes.ts'
import { whoamiRoutes } from './whoami-routes.ts'

/**
 * As much of Sentry's API as `sentry-cli` and the bundlers' plugins need to upload source maps. Their organization is the
 * full path of a group or of a person's space (`company/team`), their project is its path in there, its full path or its id.
 */
export async function uploadApi(app: FastifyInstance) {
  await conventions(app)
  app.setErrorHandler((error, request, reply) => {
    const problem = toProblem(error as FastifyError, request)

    return reply
      .code(problem.status)
      .headers(problem.headers)
      .send({ detail: detailOf(problem) })
  })

  for (const routes of [whoamiRoutes, chunkRoutes, assembleRoutes, releaseRoutes]) await app.register(routes)
}

/** One sentence, where other clients get the reasons by attribute. */
function detailOf(problem: Problem) {
  const { error } = typeof problem.body === 'string' ? {} : problem.body

  return typeof error === 'string' ? error : problem.summary()
}
