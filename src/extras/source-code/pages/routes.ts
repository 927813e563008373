import type { FastifyInstance } from 'fastify'
import { commitPage } from './commit.ts'
import { commitsPage } from './commits.ts'
import { directoryPage } from './directory.ts'
import { filePage } from './file.ts'

/** The code of a project. */
export async function codePages(app: FastifyInstance) {
  for (const page of [directoryPage, filePage, commitsPage, commitPage]) await app.register(page)
}
