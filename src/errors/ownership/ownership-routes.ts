import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Role } from '#projects/members/member.ts'
import { ProjectId } from '../groups/group-schemas.ts'
import { findMonitoredProject } from '../settings/find-monitored-project.ts'
import { changeOwnership } from './change-ownership.ts'
import { OwnershipChanges, OwnershipShape, presentOwnership } from './ownership-schemas.ts'
import { findOwnership } from './ownership-store.ts'

export const ownershipRoutes: FastifyPluginAsyncTypebox<{ path: string }> = async (app, { path }) => {
  const { config } = app.platform

  app.get(
    path,
    {
      config: { role: 'developer' },
      schema: { summary: 'Get the rules by which errors have owners', params: ProjectId, response: { 200: OwnershipShape } }
    },
    async ({ em, user, params }) => {
      const project = await findMonitoredProject(em, user, params.id, Role.developer)

      return presentOwnership(await findOwnership(em, project.id))
    }
  )

  app.put(
    path,
    {
      config: { role: 'maintainer' },
      schema: {
        summary: 'Change the rules by which errors have owners',
        params: ProjectId,
        body: OwnershipChanges,
        response: { 200: OwnershipShape }
      }
    },
    async ({ em, user, actor, params, body: { rules, auto_assign: autoAssigns } }) => {
      const project = await findMonitoredProject(em, user, params.id, Role.maintainer)

      return presentOwnership(await changeOwnership(em, config, project, { rules, autoAssigns }, actor))
    }
  )
}
