import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Static } from 'typebox'
import { recordEvents } from '#activity/jobs.ts'
import { type EventRecord, EventRecords } from '#activity/schemas.ts'
import { readIdempotencyKey } from '#api/parameters/idempotency-key.ts'
import { ValidationFailed } from '#lib/refusals.ts'
import { AbandonedRequests } from '#platform/queue/abandoned-requests.ts'
import { withTimeLimit } from '#platform/time-limit.ts'
import { findProject } from '#projects/find-project.ts'
import { Role } from '#projects/members/member.ts'
import { Accepted, ById } from '#projects/schemas.ts'

/** Recording activity that happened in other systems. */
export const recordingRoutes: FastifyPluginAsyncTypebox = async app => {
  const { config, batches, backlog } = app.platform
  const abandoned = new AbandonedRequests()

  app.post(
    '/projects/:id/events',
    {
      config: { role: 'developer', isIntake: true },
      schema: {
        summary: 'Record activity: one event, or up to 1,000',
        params: ById,
        body: EventRecords,
        response: { 202: Accepted }
      }
    },
    async ({ em, user, params, body, headers }, reply) => {
      const project = await withTimeLimit(config.queue.timeoutMs, findProject(em, user, params.id, Role.developer))
      const sender = `${project.id} ${user.id}`
      const receivedAt = new Date().toISOString()
      const records = [body].flat()

      for (const [n, record] of records.entries()) validate(record, n)
      backlog.refuseWhenFull(recordEvents.queue, project.id)
      const send = (id: string) => batches.add(recordEvents, { projectId: project.id, authorId: user.id, id, receivedAt, records })
      const givenId = readIdempotencyKey(headers, sender)

      await (givenId ? send(givenId) : abandoned.track(sender, JSON.stringify(records), send))

      return reply.code(202).send({ message: '202 Accepted' })
    }
  )
}

/** Details must match the action. */
function validate({ action, note, push_data: push }: Static<typeof EventRecord>, n: number) {
  const invalid = (attribute: string, reason: string) => new ValidationFailed({ [n]: { [attribute]: [reason] } })

  if (note && action !== 'commented') throw invalid('note', 'belongs to the action commented')
  if (push && action !== 'pushed') throw invalid('push_data', 'belongs to the action pushed')
}
