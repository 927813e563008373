import type { FastifyInstance } from 'fastify'
import { packagePage } from './package.ts'
import { packagesPage } from './package-list.ts'

export async function packagePages(app: FastifyInstance) {
  await app.register(packagesPage)
  await app.register(packagePage)
}
