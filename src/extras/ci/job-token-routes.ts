import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { recordAuditEvent } from '#audit/record-audit-event.ts'
import { isRemoved } from '#lib/deprecations/stages.ts'
import { Rejected } from '#lib/refusals.ts'
import { lockForChange } from '#platform/database/lock-for-change.ts'
import { findProject } from '#projects/find-project.ts'
import { Role } from '#projects/members/member.ts'
import { ById } from '#projects/schemas.ts'

const Scope = Type.Object({ inbound_enabled: Type.Boolean(), outbound_enabled: Type.Optional(Type.Boolean()) })

/** Whether only the jobs of allowed projects may use a project by their token. */
export const jobTokenRoutes: FastifyPluginAsyncTypebox = async app => {
  const { config } = app.platform
  const path = '/projects/:id/job_token_scope'
  const forMaintainers = { config: { role: 'maintainer' as const } }
  const isAlwaysOn = isRemoved(config, 'job-token-outbound-limit')
  const find = (request: FastifyRequest) => findProject(request.em, request.user, (request.params as { id: string }).id, Role.maintainer)

  app.get(
    path,
    { ...forMaintainers, schema: { summary: 'Get the limits of job tokens', params: ById, response: { 200: Scope } } },
    async request => {
      const project = await find(request)

      return {
        inbound_enabled: isAlwaysOn || project.limitsJobTokens,
        ...(!isAlwaysOn && { outbound_enabled: project.limitsJobTokenReach })
      }
    }
  )

  app.patch(
    path,
    {
      ...forMaintainers,
      schema: {
        summary: 'Enable or disable the allowlist for job tokens',
        params: ById,
        body: Type.Object({ enabled: Type.Boolean() }),
        response: { 204: Type.Null() }
      }
    },
    async (request, reply) => {
      const project = await find(request)

      if (isAlwaysOn && !request.body.enabled) throw new Rejected('the allowlist is always on since 18.0: add projects or groups to it')
      await request.em.transactional(async em => {
        await lockForChange(em, project)
        project.limitsJobTokens = request.body.enabled
        recordAuditEvent(em, request.actor, { name: 'project_job_token_scope_updated', entity: project.audited() })
      })

      return reply.code(204).send(null)
    }
  )
}
