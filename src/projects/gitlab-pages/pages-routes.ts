import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { actorOf } from '../../audit/record-audit-event.ts'
import { callerOf } from '../../identity/identify.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import { findProject } from '../find-project.ts'
import { Role } from '../members/member.ts'
import { ById } from '../schemas.ts'
import { changePages, findPagesSetting, unpublishPages } from './change-pages.ts'
import { PagesBody, PagesShape, presentPages } from './pages-schemas.ts'

const path = '/projects/:id/pages'

/** The settings of a project's static site, which is not hosted. */
export const pagesRoutes: FastifyPluginAsyncTypebox = async app => {
  const { fork } = app.platform
  const guard = { onRequest: app.requireUser, config: { role: 'maintainer' } } as const

  app.get(path, { ...guard, schema: { summary: 'Get the Pages settings', params: ById, response: { 200: PagesShape } } }, async request => {
    const em = fork()
    const { project } = await pagesEditor(em, request)

    return presentPages(await findPagesSetting(em, project.id))
  })

  app.patch(
    path,
    { ...guard, schema: { summary: 'Change the Pages settings', params: ById, body: PagesBody, response: { 200: PagesShape } } },
    async request => {
      const em = fork()
      const {
        pages_unique_domain_enabled: isUniqueDomainEnabled,
        pages_https_only: isHttpsOnly,
        pages_primary_domain: primary
      } = request.body
      const primaryDomain = primary === '' ? null : primary?.toLowerCase()
      const changes = { isUniqueDomainEnabled, isHttpsOnly, primaryDomain: primary === null ? null : primaryDomain }

      return presentPages(await changePages(em, await pagesEditor(em, request), changes))
    }
  )

  app.delete(
    path,
    { ...guard, schema: { summary: 'Unpublish Pages', description: 'Deletes the domains.', params: ById, response: { 204: Type.Null() } } },
    async (request, reply) => {
      const em = fork()

      await unpublishPages(em, await pagesEditor(em, request))

      return reply.code(204).send(null)
    }
  )
}

export async function pagesEditor(em: EntityManager, request: FastifyRequest<{ Params: { id: string } }>) {
  return { project: await findProject(em, callerOf(request), request.params.id, Role.maintainer), actor: actorOf(request) }
}
