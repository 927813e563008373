import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { archiveRoutes } from './archives/archive-routes.ts'
import { branchRoutes } from './branches/branch-routes.ts'
import { commitRoutes } from './commits/commit-routes.ts'
import { newCommitRoute } from './commits/new-commit-route.ts'
import { changeFileRoutes } from './files/change-file-routes.ts'
import { fileRoutes } from './files/file-routes.ts'
import { historyRoutes } from './history/history-routes.ts'
import { tagRoutes } from './tags/tag-routes.ts'
import { blobRoutes } from './tree/blob-routes.ts'
import { treeRoutes } from './tree/tree-routes.ts'

/** Branches, tags, commits and files of projects. */
export const sourceCode: FastifyPluginAsyncTypebox = async app => {
  await app.register(branchRoutes)
  await app.register(tagRoutes)
  await app.register(commitRoutes)
  await app.register(newCommitRoute)
  await app.register(treeRoutes)
  await app.register(blobRoutes)
  await app.register(fileRoutes)
  await app.register(changeFileRoutes)
  await app.register(historyRoutes)
  await app.register(archiveRoutes)
}
