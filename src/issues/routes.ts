import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { issueRoutes } from './routes/issue-routes.ts'
import { issueNoteRoutes } from './routes/note-routes.ts'

/** The REST resources of issues. */
export const issues: FastifyPluginAsyncTypebox = async app => {
  for (const routes of [issueRoutes, issueNoteRoutes]) await app.register(routes, { path: '/projects/:id/issues' })
}
