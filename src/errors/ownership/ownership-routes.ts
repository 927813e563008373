import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { NotFound } from '#lib/refusals.ts'
import { Role } from '#projects/members/member.ts'
import { ProjectId } from '../groups/group-schemas.ts'
import { findMonitoredProject } from '../settings/find-monitored-project.ts'
import { changeOwnership } from './change-ownership.ts'
import { findCodeowners, mergeCodeowners } from './import-codeowners.ts'
import { ImportedCodeowners, NewCodeowners, OwnershipChanges, OwnershipShape, presentOwnership } from './ownership-schemas.ts'
import { findOwnership } from './ownership-store.ts'

export const ownershipRoutes: FastifyPluginAsyncTypebox<{ path: string }> = async (app, { path }) => {
  const { config, git } = app.platform

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

  app.post(
    `${path}/codeowners`,
    {
      config: { role: 'maintainer' },
      schema: {
        summary: 'Import a CODEOWNERS file as ownership rules, in place of those of the last import',
        params: ProjectId,
        body: NewCodeowners,
        response: { 201: ImportedCodeowners }
      }
    },
    async ({ em, user, actor, params, body }, reply) => {
      const project = await findMonitoredProject(em, user, params.id, Role.maintainer)
      const content = body.content ?? (await findCodeowners(em, git, project))

      if (content === undefined) throw new NotFound('CODEOWNERS')
      const { rules, ...report } = await mergeCodeowners(em, project.id, content, (await findOwnership(em, project.id)).rules)
      const saved = await changeOwnership(em, config, project, { rules }, actor)

      return reply.code(201).send({ ...presentOwnership(saved), ...report })
    }
  )
}
