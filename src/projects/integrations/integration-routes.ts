import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { actorOf } from '../../audit/record-audit-event.ts'
import { offsetPage, paging } from '../../http/pagination/offset.ts'
import { callerOf } from '../../identity/identify.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import { findProject } from '../find-project.ts'
import { Role } from '../members/member.ts'
import { ById } from '../schemas.ts'
import { disableIntegration, findIntegration, putIntegration } from './change-integration.ts'
import {
  IntegrationBody,
  IntegrationParams,
  IntegrationShape,
  IntegrationSummary,
  presentIntegration,
  presentSummary
} from './integration-schemas.ts'
import { ProjectIntegration } from './project-integration.ts'

/** The integrations of a project with other programs, and the same under GitLab's former name. */
export const projectIntegrationRoutes: FastifyPluginAsyncTypebox<{ name: 'integrations' | 'services' }> = async (app, { name }) => {
  const { config, fork } = app.platform
  const path = `/projects/:id/${name}`
  const guard = { onRequest: app.requireUser, config: { role: 'maintainer' } } as const
  const deprecated = name === 'services'
  const editorOf = async (em: EntityManager, request: FastifyRequest<{ Params: { id: string } }>) => ({
    config,
    project: await findProject(em, callerOf(request), request.params.id, Role.maintainer),
    actor: actorOf(request)
  })

  app.get(
    path,
    {
      ...guard,
      schema: {
        summary: 'List active integrations',
        deprecated,
        params: ById,
        querystring: Type.Object(paging),
        response: { 200: Type.Array(IntegrationSummary) }
      }
    },
    async (request, reply) => {
      const em = fork()
      const { project } = await editorOf(em, request)
      const where = { projectId: project.id, active: true }
      const integrations = await offsetPage(request, reply, {
        list: (limit, offset) => em.find(ProjectIntegration, where, { orderBy: { slug: 'asc' }, limit, offset }),
        count: () => em.fork().count(ProjectIntegration, where)
      })

      return integrations.map(presentSummary)
    }
  )

  app.get(
    `${path}/:slug`,
    { ...guard, schema: { summary: 'Get an integration', deprecated, params: IntegrationParams, response: { 200: IntegrationShape } } },
    async request => {
      const em = fork()
      const { project } = await editorOf(em, request)

      return presentIntegration(await findIntegration(em, project.id, request.params.slug))
    }
  )

  app.put(
    `${path}/:slug`,
    {
      ...guard,
      schema: {
        summary: 'Set up or change an integration',
        description: 'Every integration has parameters of its own and ignores those of others.',
        deprecated,
        params: IntegrationParams,
        body: IntegrationBody,
        response: { 200: IntegrationShape }
      }
    },
    async request => {
      const em = fork()

      return presentIntegration(await putIntegration(em, await editorOf(em, request), request.params.slug, request.body))
    }
  )

  app.delete(
    `${path}/:slug`,
    {
      ...guard,
      schema: {
        summary: 'Disable an integration and delete its settings',
        deprecated,
        params: IntegrationParams,
        response: { 204: Type.Null() }
      }
    },
    async (request, reply) => {
      const em = fork()

      await disableIntegration(em, await editorOf(em, request), request.params.slug)

      return reply.code(204).send(null)
    }
  )
}
