import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { offsetPage, paging } from '#api/pagination/offset.ts'
import { recordAuditEvent } from '#audit/record-audit-event.ts'
import { Conflict, NotFound, Rejected } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { lockForChange } from '#platform/database/lock-for-change.ts'
import { findGroup, findProject } from '#projects/find-project.ts'
import { GroupShape, presentGroup } from '#projects/groups/group-schemas.ts'
import { visibleGroups } from '#projects/groups/list-groups.ts'
import { Role } from '#projects/members/member.ts'
import { presentSimpleProject } from '#projects/present-project.ts'
import type { Project } from '#projects/project.ts'
import { ById, ProjectShape } from '#projects/schemas.ts'
import { type Allowed, addAllowance, allowedIds, countAllowances, removeAllowance } from '#projects/tokens/allowance-store.ts'
import { visibleProjects } from '#projects/visibility/visible-projects.ts'

const maxAllowances = 200
const Source = { source_project_id: Type.Integer() }

/** The projects and groups whose jobs may use a project by their token. */
export const allowlistRoutes: FastifyPluginAsyncTypebox = async app => {
  const { config } = app.platform
  const path = '/projects/:id/job_token_scope'
  const forMaintainers = { config: { role: 'maintainer' as const } }
  const find = (request: FastifyRequest) => findProject(request.em, request.user, (request.params as { id: string }).id, Role.maintainer)

  app.get(
    `${path}/allowlist`,
    {
      ...forMaintainers,
      schema: {
        summary: 'List the projects whose jobs may access this project',
        params: ById,
        querystring: Type.Object(paging),
        response: { 200: Type.Array(ProjectShape) }
      }
    },
    async (request, reply) => {
      const ids = await allowedIds(request.em, (await find(request)).id, 'project')
      const projects = await offsetPage(request, reply, await visibleProjects(request.em, request.user, { ids }))

      return projects.map(project => presentSimpleProject(project, config.baseUrl))
    }
  )

  app.post(
    `${path}/allowlist`,
    {
      ...forMaintainers,
      schema: {
        summary: 'Let another project’s jobs access this project',
        params: ById,
        body: Type.Object({ target_project_id: Type.Integer() }),
        response: { 201: Type.Object({ ...Source, target_project_id: Type.Integer() }) }
      }
    },
    async (request, reply) => {
      const project = await find(request)
      const target = await findProject(request.em, request.user, String(request.body.target_project_id))

      await allow(request, request.em, project, { projectId: target.id })

      return reply.code(201).send({ source_project_id: project.id, target_project_id: target.id })
    }
  )

  app.delete(
    `${path}/allowlist/:target_project_id`,
    {
      ...forMaintainers,
      schema: {
        summary: 'Stop another project’s jobs from accessing this project',
        params: Type.Object({ ...ById.properties, target_project_id: Type.Integer() }),
        response: { 204: Type.Null() }
      }
    },
    async (request, reply) => {
      await disallow(request, { projectId: request.params.target_project_id })

      return reply.code(204).send(null)
    }
  )

  app.get(
    `${path}/groups_allowlist`,
    {
      ...forMaintainers,
      schema: {
        summary: 'List the groups whose jobs may access this project',
        params: ById,
        querystring: Type.Object(paging),
        response: { 200: Type.Array(GroupShape) }
      }
    },
    async (request, reply) => {
      const ids = await allowedIds(request.em, (await find(request)).id, 'group')
      const groups = await offsetPage(request, reply, await visibleGroups(request.em, request.user, { ids, allAvailable: true }))

      return groups.map(group => presentGroup(group, config.baseUrl))
    }
  )

  app.post(
    `${path}/groups_allowlist`,
    {
      ...forMaintainers,
      schema: {
        summary: 'Let a group’s jobs access this project',
        params: ById,
        body: Type.Object({ target_group_id: Type.Integer() }),
        response: { 201: Type.Object({ ...Source, target_group_id: Type.Integer() }) }
      }
    },
    async (request, reply) => {
      const project = await find(request)
      const target = await findGroup(request.em, request.user, String(request.body.target_group_id))

      await allow(request, request.em, project, { groupId: target.id })

      return reply.code(201).send({ source_project_id: project.id, target_group_id: target.id })
    }
  )

  app.delete(
    `${path}/groups_allowlist/:target_group_id`,
    {
      ...forMaintainers,
      schema: {
        summary: 'Stop a group’s jobs from accessing this project',
        params: Type.Object({ ...ById.properties, target_group_id: Type.Integer() }),
        response: { 204: Type.Null() }
      }
    },
    async (request, reply) => {
      await disallow(request, { groupId: request.params.target_group_id })

      return reply.code(204).send(null)
    }
  )

  function allow(request: FastifyRequest, em: EntityManager, project: Project, allowed: Allowed) {
    return em.transactional(async em => {
      await lockForChange(em, project)
      if ((await countAllowances(em, project.id)) >= maxAllowances) throw new Rejected(`the allowlist has at most ${maxAllowances} entries`)
      if (!(await addAllowance(em, project.id, allowed))) throw new Conflict('it is in the allowlist already')
      recordAuditEvent(em, request.actor, { name: 'project_job_token_scope_added', entity: project.audited(), details: { ...allowed } })
    })
  }

  async function disallow(request: FastifyRequest, allowed: Allowed) {
    const project = await find(request)

    await request.em.transactional(async em => {
      await lockForChange(em, project)
      if (!(await removeAllowance(em, project.id, allowed))) throw new NotFound()
      recordAuditEvent(em, request.actor, {
        name: 'project_job_token_scope_removed',
        entity: project.audited(),
        details: { ...allowed }
      })
    })
  }
}
