import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { commitRoutes } from './commits/commit-routes.ts'
import { historyRoutes } from './commits/history-routes.ts'
import { newCommitRoute } from './commits/new-commit-route.ts'
import { archiveRoutes } from './files/archive-routes.ts'
import { blobRoutes } from './files/blob-routes.ts'
import { changeFileRoutes } from './files/change-file-routes.ts'
import { fileRoutes } from './files/file-routes.ts'
import { treeRoutes } from './files/tree-routes.ts'
import { branchRoutes } from './refs/branch-routes.ts'
import { tagRoutes } from './refs/tag-routes.ts'

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
