import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type, { type Static } from 'typebox'
import type { Viewer } from '#identity/viewer.ts'
import { findIssue } from '#issues/find-issue.ts'
import { IssueParams, IssueShape } from '#issues/issue-schemas.ts'
import { findVisibleIssues } from '#issues/lists/find-visible-issues.ts'
import { presentIssue } from '#issues/present-issue.ts'
import { NotFound } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { IssueLink, isAt, linkIssues, linkTypes, maxLinks, unlinkIssues } from './issue-link.ts'

const LinkType = Type.Enum([...linkTypes])
const LinkedIssue = Type.Object({
  ...IssueShape.properties,
  issue_link_id: Type.Integer(),
  link_type: LinkType,
  link_created_at: Type.String(),
  link_updated_at: Type.String()
})
const LinkShape = Type.Object({ id: Type.Integer(), source_issue: IssueShape, target_issue: IssueShape, link_type: LinkType })
const NewLink = Type.Object({
  target_project_id: Type.Union([Type.Integer(), Type.String({ maxLength: 1000 })], { description: 'ID or path.' }),
  target_issue_iid: Type.Integer(),
  link_type: Type.Optional(LinkType)
})
const LinkParams = Type.Object({ ...IssueParams.properties, issue_link_id: Type.Integer() })
const path = '/projects/:id/issues/:issue_iid/links'

/** Links between issues. Those to issues that the caller cannot see are left out. */
export const issueLinkRoutes: FastifyPluginAsyncTypebox = async app => {
  const { config } = app.platform
  const guard = { config: { role: 'reporter' as const } }

  app.get(
    path,
    {
      ...guard,
      schema: { summary: 'List the issues that are linked to an issue', params: IssueParams, response: { 200: Type.Array(LinkedIssue) } }
    },
    async ({ em, user, params }) => {
      const { issue } = await findIssue(em, user, params)
      const links = await em.find(IssueLink, isAt(issue.id), { orderBy: { id: 'asc' }, limit: maxLinks })
      const issues = await findVisibleIssues(
        em,
        user,
        links.map(link => link.otherThan(issue.id))
      )

      return links.flatMap(link => {
        const other = issues.get(link.otherThan(issue.id))
        const at = link.createdAt.toISOString()

        if (!other) return []

        return [
          {
            ...presentIssue(other.row, other.project, config.baseUrl),
            issue_link_id: link.id,
            link_type: link.typeFor(issue.id),
            link_created_at: at,
            link_updated_at: at
          }
        ]
      })
    }
  )

  app.get(
    `${path}/:issue_link_id`,
    { ...guard, schema: { summary: 'Get a link of an issue', params: LinkParams, response: { 200: LinkShape } } },
    async ({ em, user, params }) => {
      const { link } = await find(em, user, params)

      return present(em, user, link)
    }
  )

  app.post(
    path,
    {
      ...guard,
      config: { ...guard.config, additionalStatuses: [409] },
      schema: { summary: 'Link an issue to another one', params: IssueParams, body: NewLink, response: { 201: LinkShape } }
    },
    async ({ em, user, params, body }, reply) => {
      const { target_project_id: id, target_issue_iid: iid, link_type: type = 'relates_to' } = body
      const { issue: source } = await findIssue(em, user, params)
      const { issue: target } = await findIssue(em, user, { id: String(id), issue_iid: iid })
      const link = await linkIssues(em, source, target, type, user.id)

      return reply.code(201).send(await present(em, user, link))
    }
  )

  app.delete(
    `${path}/:issue_link_id`,
    { ...guard, schema: { summary: 'Remove a link of an issue', params: LinkParams, response: { 200: LinkShape } } },
    async ({ em, user, actor, params }) => {
      const { link, issue, other } = await find(em, user, params)
      const presented = await present(em, user, link)

      await unlinkIssues(em, link, [issue, other], actor)

      return presented
    }
  )

  async function present(em: EntityManager, viewer: Viewer, { id, sourceId, targetId, linkType }: IssueLink) {
    const issues = await findVisibleIssues(em, viewer, [sourceId, targetId])
    const [source, target] = [sourceId, targetId].map(id => issues.get(id)!)

    return {
      id,
      source_issue: presentIssue(source!.row, source!.project, config.baseUrl),
      target_issue: presentIssue(target!.row, target!.project, config.baseUrl),
      link_type: linkType
    }
  }
}

/** The link with both issues, which the viewer sees. */
async function find(em: EntityManager, viewer: Viewer, params: Static<typeof LinkParams>) {
  const { issue } = await findIssue(em, viewer, params)
  const link = await em.findOne(IssueLink, { id: params.issue_link_id, ...isAt(issue.id) })
  const other = link && (await findVisibleIssues(em, viewer, [link.otherThan(issue.id)])).get(link.otherThan(issue.id))

  if (!link || !other) throw new NotFound()

  return { link, issue, other: other.issue }
}
