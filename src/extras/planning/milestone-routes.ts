import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type, { type Static } from 'typebox'
import { offsetPage } from '#api/pagination/offset.ts'
import { NotFound } from '#lib/refusals.ts'
import { toDay } from '#lib/time.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { Role } from '#projects/members/member.ts'
import { findMemberSource, type MemberSource, type SourceKind } from '#projects/members/member-source.ts'
import { listMilestones } from '#projects/milestones/list-milestones.ts'
import {
  MilestoneBody,
  MilestoneParams,
  MilestoneShape,
  MilestonesQuery,
  NewMilestoneBody,
  presentMilestone
} from '#projects/milestones/milestone-schemas.ts'
import { ById } from '#projects/schemas.ts'
import { createMilestone, deleteMilestone, findOwnMilestone, updateMilestone } from './change-milestones.ts'
import { promoteMilestone } from './promote-milestone.ts'

/** The milestones of a project or group. */
export const milestoneRoutes: FastifyPluginAsyncTypebox<{ kind: SourceKind }> = async (app, { kind }) => {
  const { config } = app.platform
  const path = `/${kind}/:id/milestones`
  const forGuests = { config: { role: 'guest' as const } }
  const forReporters = { config: { role: 'reporter' as const } }
  const show = (em: EntityManager, source: MemberSource, id: number) => showMilestone(em, source, id, config.baseUrl)

  app.get(
    path,
    {
      ...forGuests,
      schema: {
        summary: 'List milestones, the next one first',
        params: ById,
        querystring: MilestonesQuery,
        response: { 200: Type.Array(MilestoneShape) }
      }
    },
    async (request, reply) => {
      const source = await findMemberSource(request.em, request.user, kind, request.params.id)
      const rows = await offsetPage(request, reply, listMilestones(request.em, source, request.query))

      return rows.map(row => presentMilestone(row, config.baseUrl))
    }
  )

  app.get(
    `${path}/:milestone_id`,
    { ...forGuests, schema: { summary: 'Get a milestone', params: MilestoneParams, response: { 200: MilestoneShape } } },
    async ({ em, user, params }) => {
      const source = await findMemberSource(em, user, kind, params.id)

      return show(em, source, params.milestone_id)
    }
  )

  app.post(
    path,
    {
      ...forReporters,
      schema: { summary: 'Create a milestone', params: ById, body: NewMilestoneBody, response: { 201: MilestoneShape } }
    },
    async ({ em, user, actor, params, body }, reply) => {
      const source = await findMemberSource(em, user, kind, params.id, Role.reporter)
      const { title } = body
      const milestone = await createMilestone(em, source, { ...readChanges(body), title }, actor)

      return reply.code(201).send(await show(em, source, milestone.id))
    }
  )

  app.put(
    `${path}/:milestone_id`,
    {
      ...forReporters,
      schema: {
        summary: 'Update, close or reopen a milestone',
        params: MilestoneParams,
        body: MilestoneBody,
        response: { 200: MilestoneShape }
      }
    },
    async ({ em, user, actor, params, body }) => {
      const source = await findMemberSource(em, user, kind, params.id, Role.reporter)
      const milestone = await findOwnMilestone(em, source, params.milestone_id)

      await updateMilestone(em, source, milestone, readChanges(body), actor)

      return show(em, source, milestone.id)
    }
  )

  app.delete(
    `${path}/:milestone_id`,
    { ...forReporters, schema: { summary: 'Delete a milestone', params: MilestoneParams, response: { 204: Type.Null() } } },
    async ({ em, user, actor, params }, reply) => {
      const source = await findMemberSource(em, user, kind, params.id, Role.reporter)

      await deleteMilestone(em, source, await findOwnMilestone(em, source, params.milestone_id), actor)

      return reply.code(204).send(null)
    }
  )
}

export const milestonePromotion: FastifyPluginAsyncTypebox = async app => {
  const { config } = app.platform

  app.post(
    '/projects/:id/milestones/:milestone_id/promote',
    {
      config: { role: 'reporter' },
      schema: { summary: 'Promote a project milestone to a group milestone', params: MilestoneParams, response: { 200: MilestoneShape } }
    },
    async ({ em, user, params }) => {
      const source = await findMemberSource(em, user, 'projects', params.id, Role.reporter)
      const milestone = await findOwnMilestone(em, source, params.milestone_id)
      const { group, promoted } = await promoteMilestone(em, source, user, milestone)

      return showMilestone(em, group, promoted.id, config.baseUrl)
    }
  )
}

async function showMilestone(em: EntityManager, source: MemberSource, id: number, baseUrl: string) {
  const [row] = await listMilestones(em, source, { id }).list(1)

  if (!row) throw new NotFound('Milestone')

  return presentMilestone(row, baseUrl)
}

function readChanges(body: Static<typeof MilestoneBody>) {
  return {
    title: body.title,
    description: body.description,
    startDate: toDay(body.start_date),
    dueDate: toDay(body.due_date),
    stateEvent: body.state_event
  }
}
