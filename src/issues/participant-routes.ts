import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { sql } from 'kysely'
import Type from 'typebox'
import { offsetPage, paging } from '#api/pagination/offset.ts'
import type { EntityManager, Tables } from '#platform/database/database.ts'
import { selectAs, selectList } from '#platform/database/list.ts'
import { personJson } from '#projects/members/assignees.ts'
import { presentPerson } from '#projects/present-project.ts'
import { Person } from '#projects/schemas.ts'
import { findIssue } from './find-issue.ts'
import type { Issue } from './issue.ts'
import { IssueParams } from './issue-schemas.ts'

const path = '/projects/:id/issues/:issue_iid'

export const participantRoutes: FastifyPluginAsyncTypebox = async app => {
  const { config } = app.platform
  const guard = { config: { role: 'reporter' as const } }
  const querystring = Type.Object(paging)

  app.get(
    `${path}/participants`,
    {
      ...guard,
      schema: {
        summary: 'List the author, the assignees and the commenters of an issue',
        params: IssueParams,
        querystring,
        response: { 200: Type.Array(Person) }
      }
    },
    async (request, reply) => {
      const { issue } = await findIssue(request.em, request.user, request.params)
      const people = await offsetPage(request, reply, participantsOf(request.em, issue))

      return people.map(person => presentPerson(person!, config.baseUrl))
    }
  )
}

function participantsOf(em: EntityManager, { id, authorId }: Issue) {
  const people = em
    .getKysely<Tables>()
    .selectFrom('users as u')
    .where(
      sql<boolean>`(u.id = ${authorId ?? null} OR u.id IN (SELECT user_id FROM issue_assignees WHERE issue_id = ${id})
        OR u.id IN (SELECT author_id FROM issue_notes WHERE issue_id = ${id} AND action IS NULL))`
    )

  return selectList(em, { from: people, load: page => selectAs(page, personJson('u')), keys: ['u.id'] })
}
