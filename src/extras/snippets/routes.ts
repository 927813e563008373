import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { snippetListRoutes } from './list-routes.ts'
import { rawSnippetRoutes } from './raw-routes.ts'
import { snippetRoutes } from './snippet-routes.ts'

/** Snippets of users and projects. */
export const snippets: FastifyPluginAsyncTypebox = async app => {
  await app.register(snippetListRoutes)
  for (const path of ['/snippets', '/projects/:id/snippets']) {
    await app.register(snippetRoutes, { path })
    await app.register(rawSnippetRoutes, { path })
  }
}
