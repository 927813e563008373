import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { instance, recordAuditEvent } from '#audit/record-audit-event.ts'
import { hashSecret, newSecret } from '#identity/secrets.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { findGroup, findProject } from '#projects/find-project.ts'
import { Role } from '#projects/members/member.ts'
import { ById } from '#projects/schemas.ts'
import { RunnerToken } from './runner-schemas.ts'
import { setRegistrationToken } from './runner-store.ts'

type Owner = Parameters<typeof setRegistrationToken>[1]
type Recorded = Parameters<typeof recordAuditEvent>[1]

/** Registration tokens. Only their hashes are stored, so that they are seen once. */
export const registrationTokenRoutes: FastifyPluginAsyncTypebox = async app => {
  const deprecation = 'reset-registration-token' as const
  const response = { 201: RunnerToken }

  app.post(
    '/runners/reset_registration_token',
    {
      config: { role: 'admin', deprecation },
      schema: { summary: 'Replace the registration token of the installation', response }
    },
    async ({ em, actor }, reply) => reply.code(201).send(await reset(em, 'instance', { actor, entity: instance }))
  )

  app.post(
    '/projects/:id/runners/reset_registration_token',
    {
      config: { role: 'maintainer', deprecation },
      schema: { summary: 'Replace the registration token of a project', params: ById, response }
    },
    async ({ em, user, actor, params }, reply) => {
      const project = await findProject(em, user, params.id, Role.maintainer)

      return reply.code(201).send(await reset(em, { projectId: project.id }, { actor, entity: project.audited() }))
    }
  )

  app.post(
    '/groups/:id/runners/reset_registration_token',
    {
      config: { role: 'owner', deprecation },
      schema: { summary: 'Replace the registration token of a group', params: ById, response }
    },
    async ({ em, user, actor, params }, reply) => {
      const group = await findGroup(em, user, params.id, Role.owner)

      return reply.code(201).send(await reset(em, { groupId: group.id }, { actor, entity: group.audited() }))
    }
  )
}

interface Change {
  actor: Recorded
  entity: Parameters<typeof recordAuditEvent>[2]['entity']
}

async function reset(em: EntityManager, owner: Owner, { actor, entity }: Change) {
  const token = newSecret('GR1348941')

  await em.transactional(async em => {
    await setRegistrationToken(em, owner, hashSecret(token))
    recordAuditEvent(em, actor, { name: 'runner_registration_token_reset', entity })
  })

  return { token, token_expires_at: null }
}
