import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { Nullable } from '#lib/nullable.ts'
import { InvalidInput, NotFound } from '#lib/refusals.ts'
import { writeTime } from '#lib/time.ts'
import { AbandonedRequests } from '#platform/queue/abandoned-requests.ts'
import { Project } from '#projects/project.ts'
import { checkWritable } from '#projects/visibility/refuse-read-only.ts'
import { type FeedbackRow, listFeedback } from '../feedback/list-feedback.ts'
import { userReportEnvelope } from '../feedback/user-report.ts'
import { plainId } from '../groups/present-group.ts'
import { receiveEnvelopes } from '../jobs.ts'
import { parseEventId } from '../parse/envelope.ts'
import { findProject, isProjectNamed } from './organization-projects.ts'
import { sentryPage, sentryPaging } from './sentry-page.ts'

const Params = Type.Object({ org: Type.String(), project: Type.String() })

const NewReport = Type.Object({
  event_id: Type.String(),
  name: Type.Optional(Type.String({ maxLength: 128 })),
  email: Type.Optional(Type.String({ maxLength: 254 })),
  comments: Type.String({ minLength: 1, maxLength: 4096 })
})

const report = { eventID: Nullable(Type.String()), name: Type.String(), email: Type.String(), comments: Type.String() }
const Report = Type.Object({ ...report, dateCreated: Type.String() })
const StoredReport = Type.Object({ ...Report.properties, id: Type.String(), issue: Nullable(Type.Object({ id: Type.String() })) })

export interface FeedbackOptions {
  /** Throws unless the request has the DSN of a client key. */
  authenticateDsn: (request: FastifyRequest) => Promise<{ projectId: number; keyId: number }>
}

/** Reports of users on events, older than feedback without an event. */
export const feedbackRoutes: FastifyPluginAsyncTypebox<FeedbackOptions> = async (app, { authenticateDsn }) => {
  const { batches, backlog } = app.platform
  const abandoned = new AbandonedRequests()
  const path = '/projects/:org/:project/user-feedback'

  app.get(
    path,
    {
      config: { role: 'developer' },
      schema: {
        summary: 'List user feedback, newest first',
        params: Params,
        querystring: Type.Object(sentryPaging),
        response: { 200: Type.Array(StoredReport) }
      }
    },
    async (request, reply) => {
      const { org, project: slug } = request.params
      const { id: projectId } = await findProject(request.em, request.user, org, slug)
      const page = await sentryPage(request, reply, listFeedback(request.em, projectId))

      return page.map(presentReport)
    }
  )

  app.post(
    path,
    {
      onRequest: app.allowAnyone,
      config: { role: 'developer' },
      schema: {
        summary: 'Send user feedback on an event, with a token or with `Authorization: DSN …`',
        params: Params,
        body: NewReport,
        response: { 200: Report }
      }
    },
    async request => {
      const { event_id: sentId, name = '', email = '', comments } = request.body
      const eventId = parseEventId(sentId)
      const { projectId, keyId } = await findRecipient(request)

      if (!eventId) throw new InvalidInput('event_id is not a UUID')
      backlog.refuseWhenFull(receiveEnvelopes.queue, projectId)
      const receivedAt = new Date().toISOString()
      const body = userReportEnvelope({ eventId, name, email, comments })

      await abandoned.track(keyId, body, id => batches.add(receiveEnvelopes, { projectId, keyId, receivedAt, id, encoding: '', body }))

      return { eventID: eventId, name, email, comments, dateCreated: receivedAt }
    }
  )

  /** The project of the path, to which the token or the DSN gives access. Tokens have no client key. */
  async function findRecipient(request: FastifyRequest) {
    const { org, project: slug } = request.params as { org: string; project: string }

    if (request.viewer) {
      const project = await findProject(request.em, request.viewer, org, slug)

      checkWritable(project)

      return { projectId: project.id, keyId: 0 }
    }
    const key = await authenticateDsn(request)

    if (!isProjectNamed(await request.em.findOneOrFail(Project, key.projectId), org, slug)) throw new NotFound('Project')

    return key
  }
}

function presentReport({ id, event_id, group_id, name, email, comments, received_at }: FeedbackRow) {
  return {
    id: String(id),
    eventID: plainId(event_id),
    issue: group_id === null ? null : { id: String(group_id) },
    name,
    email,
    comments,
    dateCreated: writeTime(received_at)
  }
}
