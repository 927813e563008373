import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Forbidden } from '../../http/problems/problems.ts'
import { viewerOf } from '../../identity/identify.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import { byIdOrPath, findProject } from '../find-project.ts'
import { Project } from '../project.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Works on archived projects, too: deletes or unarchives them, or takes access away. */
    allowsArchived?: true
  }
}

/** Archived projects are read-only: refuses the routes that change something in them. Register it before the routes. */
export function refuseArchived(app: FastifyInstance) {
  app.addHook('onRoute', route => {
    const isReading = [route.method].flat().every(method => method === 'GET' || method === 'HEAD')

    if (isReading || route.config?.allowsArchived || !/\/projects\/:id(\/|$)/.test(route.url)) return
    route.preValidation = [route.preValidation ?? []].flat().concat(checkNotArchived)
  })
}

async function checkNotArchived(request: FastifyRequest) {
  const { id } = request.params as { id: string }
  const em: EntityManager = request.server.platform.fork()

  if ((await em.count(Project, { ...byIdOrPath(id), isArchived: true })) === 0) return
  // Callers who cannot see the project must not learn that it exists.
  await findProject(em, viewerOf(request), id)
  throw new Archived()
}

export class Archived extends Forbidden {
  constructor() {
    super('the project is archived')
  }
}
