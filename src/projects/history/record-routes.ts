import { randomUUID } from 'node:crypto'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Static } from 'typebox'
import { recordEvents } from '../../activity/jobs.ts'
import { type EventRecord, EventRecords } from '../../activity/schemas.ts'
import { ValidationFailed } from '../../http/problems/problems.ts'
import { callerOf } from '../../identity/identify.ts'
import { findProject } from '../find-project.ts'
import { Role } from '../members/member.ts'
import { Accepted, ById } from '../schemas.ts'

/** Recording activity that happened in other systems. */
export const recordingRoutes: FastifyPluginAsyncTypebox = async app => {
  const { fork, batches, backlog } = app.platform

  app.post(
    '/projects/:id/events',
    {
      onRequest: app.requireUser,
      config: { role: 'developer' },
      schema: {
        summary: 'Record activity: one event, or up to 1,000',
        params: ById,
        body: EventRecords,
        response: { 202: Accepted }
      }
    },
    async (request, reply) => {
      const author = callerOf(request)
      const project = await findProject(fork(), author, request.params.id, Role.developer)
      const receivedAt = new Date().toISOString()
      const records = [request.body].flat()

      for (const [n, record] of records.entries()) validate(record, n)
      backlog.refuseWhenFull(recordEvents.queue, project.id)
      await batches.add(recordEvents, { projectId: project.id, authorId: author.id, id: randomUUID(), receivedAt, records })

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
