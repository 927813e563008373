import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { actorOf } from '../../audit/record-audit-event.ts'
import { offsetPage } from '../../http/pagination/offset.ts'
import { NotFound } from '../../http/problems/problems.ts'
import { callerOf } from '../../identity/identify.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import { Role } from '../members/member.ts'
import { findMemberSource, type MemberSource, ownedBy, type SourceKind } from '../members/member-source.ts'
import { Project } from '../project.ts'
import { ById } from '../schemas.ts'
import { Badge, createBadge, deleteBadge, findOwnBadge, updateBadge } from './badge.ts'
import {
  BadgeBody,
  BadgeParams,
  BadgeShape,
  BadgesQuery,
  NewBadgeBody,
  RenderedBadge,
  RenderQuery,
  renderAddresses
} from './badge-schemas.ts'

/** The badges of a project, with those of its groups, or of a group. */
export const badgeRoutes: FastifyPluginAsyncTypebox<{ kind: SourceKind }> = async (app, { kind }) => {
  const { config, fork } = app.platform
  const path = `/${kind}/:id/badges`
  const minRole = kind === 'groups' ? Role.owner : Role.maintainer
  const forGuests = { onRequest: app.requireUser, config: { role: 'guest' as const } }
  const forManagers = { onRequest: app.requireUser, config: { role: kind === 'groups' ? ('owner' as const) : ('maintainer' as const) } }

  app.get(
    path,
    { ...forGuests, schema: { summary: 'List badges', params: ById, querystring: BadgesQuery, response: { 200: Type.Array(BadgeShape) } } },
    async (request, reply) => {
      const em = fork()
      const source = await findMemberSource(em, callerOf(request), kind, request.params.id)
      const where = { ...availableTo(source), ...(request.query.name !== undefined && { name: request.query.name }) }
      const badges = await offsetPage(request, reply, {
        list: (limit, offset) => em.find(Badge, where, { orderBy: { id: 'asc' }, limit, offset }),
        count: () => em.fork().count(Badge, where)
      })

      return present(em, source, badges)
    }
  )

  app.get(
    `${path}/render`,
    {
      ...forManagers,
      schema: { summary: 'Preview a badge', params: ById, querystring: RenderQuery, response: { 200: RenderedBadge } }
    },
    async request => {
      const em = fork()
      const source = await findMemberSource(em, callerOf(request), kind, request.params.id, minRole)
      const { link_url: linkUrl, image_url: imageUrl } = request.query

      return renderAddresses({ linkUrl, imageUrl }, await placeholdersOf(em, source))
    }
  )

  app.get(
    `${path}/:badge_id`,
    { ...forGuests, schema: { summary: 'Get a badge', params: BadgeParams, response: { 200: BadgeShape } } },
    async request => {
      const em = fork()
      const source = await findMemberSource(em, callerOf(request), kind, request.params.id)
      const badge = await em.findOne(Badge, { id: request.params.badge_id, ...availableTo(source) })

      if (!badge) throw new NotFound('Badge')

      return (await present(em, source, [badge]))[0]!
    }
  )

  app.post(
    path,
    { ...forManagers, schema: { summary: 'Add a badge', params: ById, body: NewBadgeBody, response: { 201: BadgeShape } } },
    async (request, reply) => {
      const em = fork()
      const { name, link_url: linkUrl, image_url: imageUrl } = request.body
      const source = await findMemberSource(em, callerOf(request), kind, request.params.id, minRole)
      const badge = await createBadge(em, source, { name, linkUrl, imageUrl })

      return reply.code(201).send((await present(em, source, [badge]))[0]!)
    }
  )

  app.put(
    `${path}/:badge_id`,
    { ...forManagers, schema: { summary: 'Update a badge', params: BadgeParams, body: BadgeBody, response: { 200: BadgeShape } } },
    async request => {
      const em = fork()
      const { name, link_url: linkUrl, image_url: imageUrl } = request.body
      const source = await findMemberSource(em, callerOf(request), kind, request.params.id, minRole)
      const badge = await findOwnBadge(em, source, request.params.badge_id)

      await updateBadge(em, badge, { name, linkUrl, imageUrl }, actorOf(request))

      return (await present(em, source, [badge]))[0]!
    }
  )

  app.delete(
    `${path}/:badge_id`,
    { ...forManagers, schema: { summary: 'Delete a badge', params: BadgeParams, response: { 204: Type.Null() } } },
    async (request, reply) => {
      const em = fork()
      const source = await findMemberSource(em, callerOf(request), kind, request.params.id, minRole)

      await deleteBadge(em, await findOwnBadge(em, source, request.params.badge_id), actorOf(request))

      return reply.code(204).send(null)
    }
  )

  async function placeholdersOf(em: EntityManager, { type, id }: MemberSource) {
    const project = type === 'Project' ? await em.findOneOrFail(Project, id, { populate: ['namespace'] }) : undefined
    const values = project && {
      project_path: project.fullPath,
      project_title: project.name,
      project_name: project.path,
      project_id: String(project.id),
      project_namespace: project.namespace.fullPath,
      group_name: project.namespace.name,
      default_branch: project.defaultBranch
    }

    return new Map(Object.entries({ gitlab_server: new URL(config.baseUrl).host, ...values }))
  }

  async function present(em: EntityManager, source: MemberSource, badges: Badge[]) {
    const placeholders = await placeholdersOf(em, source)

    return badges.map(badge => ({
      id: badge.id,
      name: badge.name ?? null,
      ...renderAddresses(badge, placeholders),
      kind: badge.project ? ('project' as const) : ('group' as const)
    }))
  }
}

/** A project also shows the badges of its groups. */
function availableTo(source: MemberSource) {
  return source.type === 'Group' ? ownedBy(source) : { $or: [ownedBy(source), { group: { $in: source.ancestorIds } }] }
}
