import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Forbidden } from '#lib/refusals.ts'
import { Namespace } from '#namespaces/namespace.ts'
import { withTimeLimit } from '#platform/time-limit.ts'
import { byIdOrPath, findGroup, findProject } from '../find-project.ts'
import { Project } from '../project.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Works on what is archived or marked for deletion, too: restores, deletes or unarchives it, or takes access away. */
    allowsReadOnly?: true
  }
}

/**
 * Archived projects, and projects and groups that are marked for deletion, are read-only: refuses the routes that change
 * something in them. Register it before the routes.
 */
export function refuseReadOnly(app: FastifyInstance) {
  app.addHook('onRoute', route => {
    const isReading = [route.method].flat().every(method => method === 'GET' || method === 'HEAD')
    const [, kind] = /\/(projects|groups)\/:id(?:[(/]|$)/.exec(route.url) ?? []

    if (isReading || route.config?.allowsReadOnly || !kind) return
    route.preValidation = [route.preValidation ?? []].flat().concat(kind === 'projects' ? checkProject : checkGroup)
  })
}

// Callers who cannot see the project or group must not learn that it exists.
async function checkProject(request: FastifyRequest) {
  const { config } = request.server.platform
  const checked = requireWritable(request)

  await (request.routeOptions.config.isIntake ? withTimeLimit(config.queue.timeoutMs, checked) : checked)
}

async function requireWritable(request: FastifyRequest) {
  const { id } = request.params as { id: string }

  if ((await request.em.count(Project, { ...byIdOrPath(id), readOnlyReason: { $ne: null } })) === 0) return
  checkWritable(await findProject(request.em, request.viewer, id))
}

async function checkGroup(request: FastifyRequest) {
  const { id } = request.params as { id: string }

  if ((await request.em.count(Namespace, { ...byIdOrPath(id), markedForDeletionAt: { $ne: null } })) === 0) return
  const group = await findGroup(request.em, request.viewer, id)

  group.checkWritable()
}

export function checkWritable({ readOnlyReason }: { readOnlyReason?: string | null }) {
  if (readOnlyReason) throw new Forbidden(`the project is ${readOnlyReason}`)
}
