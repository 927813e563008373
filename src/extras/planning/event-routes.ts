import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { sql } from 'kysely'
import Type from 'typebox'
import { offsetPage, paging } from '#api/pagination/offset.ts'
import { findIssue } from '#issues/find-issue.ts'
import { IssueParams } from '#issues/issue-schemas.ts'
import { alertBot } from '#issues/present-issue.ts'
import { Nullable } from '#lib/nullable.ts'
import { NotFound } from '#lib/refusals.ts'
import { writeTime } from '#lib/time.ts'
import type { EntityManager, Tables } from '#platform/database/database.ts'
import { selectAs, selectList } from '#platform/database/list.ts'
import { LabelBasics, presentLabelBasics } from '#projects/labels/label-schemas.ts'
import { personJson } from '#projects/members/assignees.ts'
import { type MilestoneRow, MilestoneShape, milestoneJson, presentMilestone } from '#projects/milestones/milestone-schemas.ts'
import { type PersonLike, presentPerson } from '#projects/present-project.ts'
import { Person } from '#projects/schemas.ts'

type Kind = 'label' | 'milestone' | 'state'

const common = {
  id: Type.Integer(),
  user: Person,
  created_at: Type.String(),
  resource_type: Type.Literal('Issue'),
  resource_id: Type.Integer()
}
const shapes = {
  label: Type.Object({ ...common, action: Type.Enum(['add', 'remove']), label: Nullable(LabelBasics) }),
  milestone: Type.Object({ ...common, action: Type.Enum(['add', 'remove']), milestone: Nullable(MilestoneShape) }),
  state: Type.Object({ ...common, state: Type.Enum(['closed', 'reopened']) })
}

/** How the labels, the milestone and the state of an issue changed. */
export const issueEventRoutes: FastifyPluginAsyncTypebox<{ kind: Kind }> = async (app, { kind }) => {
  const { config } = app.platform
  const guard = { config: { role: 'reporter' as const } }
  const path = `/projects/:id/issues/:issue_iid/resource_${kind}_events`
  const EventShape = shapes[kind]

  app.get(
    path,
    {
      ...guard,
      schema: {
        summary: `List the ${kind} events of an issue, oldest first`,
        params: IssueParams,
        querystring: Type.Object(paging),
        response: { 200: Type.Array(EventShape) }
      }
    },
    async (request, reply) => {
      const { issue } = await findIssue(request.em, request.user, request.params)
      const rows = await offsetPage(request, reply, listEvents(request.em, issue.id, kind))

      return rows.map(row => presentEvent(row, issue.id, kind, config.baseUrl)) as never
    }
  )

  app.get(
    `${path}/:resource_event_id`,
    {
      ...guard,
      schema: {
        summary: `Get a ${kind} event of an issue`,
        params: Type.Object({ ...IssueParams.properties, resource_event_id: Type.Integer() }),
        response: { 200: EventShape }
      }
    },
    async ({ em, user, params }) => {
      const { issue } = await findIssue(em, user, params)
      const [row] = await listEvents(em, issue.id, kind, params.resource_event_id).list(1)

      if (!row) throw new NotFound()

      return presentEvent(row, issue.id, kind, config.baseUrl) as never
    }
  )
}

interface EventRow {
  id: number
  action: string
  created_at: string
  user: PersonLike | null
  label: { id: number; name: string; color: string; description: string | null } | null
  milestone: MilestoneRow | null
}

function listEvents(em: EntityManager, issueId: number, kind: Kind, id?: number) {
  const events = em
    .getKysely<Tables>()
    .selectFrom('issue_events as e')
    .where('e.issue_id', '=', issueId)
    .where('e.kind', '=', kind)
    .$if(id !== undefined, events => events.where('e.id', '=', id!))

  const row = sql<EventRow>`jsonb_build_object('id', e.id, 'action', e.action, 'created_at', e.created_at, 'user', ${personJson('u')},
    'milestone', ${milestoneJson('m')},
    'label', (SELECT jsonb_build_object('id', l.id, 'name', l.name, 'color', l.color, 'description', l.description)
              FROM labels l WHERE l.id = e.label_id))`

  return selectList(em, {
    from: events,
    load: page =>
      selectAs(
        page
          .leftJoin('users as u', join => join.on('u.id', '=', sql.ref('e.user_id')))
          .leftJoin('milestones as m', join => join.on('m.id', '=', sql.ref('e.milestone_id'))),
        row
      ),
    keys: ['e.id']
  })
}

function presentEvent(
  { id, user, created_at: createdAt, action, label, milestone }: EventRow,
  issueId: number,
  kind: Kind,
  baseUrl: string
) {
  return {
    id,
    user: presentPerson(user ?? alertBot, baseUrl),
    created_at: writeTime(createdAt),
    resource_type: 'Issue' as const,
    resource_id: issueId,
    ...(kind === 'state' ? { state: action } : { action }),
    ...(kind === 'label' && { label: label && presentLabelBasics(label) }),
    ...(kind === 'milestone' && { milestone: milestone && presentMilestone(milestone, baseUrl) })
  }
}
