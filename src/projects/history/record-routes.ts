import { randomUUID } from 'node:crypto'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type, { type Static } from 'typebox'
import { recordEvents } from '../../activity/jobs.ts'
import { type EventRecord, EventRecords } from '../../activity/schemas.ts'
import { ValidationFailed } from '../../http/problems/problems.ts'
import { callerOf } from '../../identity/identify.ts'
import { findProject } from '../find-project.ts'
import { Role } from '../members/member.ts'

const accepted = { message: '202 Accepted' }

/** Telling of what was done elsewhere: one thing, or many at once. */
export const recordingRoutes: FastifyPluginAsyncTypebox = async app => {
  const { fork, batches, backlog } = app.platform

  app.post(
    '/projects/:id/events',
    {
      onRequest: app.requireUser,
      config: { role: 'developer' },
      schema: {
        summary: 'Record what was done: one event, or up to 1,000',
        params: Type.Object({ id: Type.String() }),
        body: EventRecords,
        response: { 202: Type.Object({ message: Type.String() }) }
      }
    },
    async (request, reply) => {
      const author = callerOf(request)
      const project = await findProject(fork(), author, request.params.id, Role.developer)
      const receivedAt = new Date().toISOString()
      const records = [request.body].flat()

      for (const [n, record] of records.entries()) check(record, n)
      backlog.refuseWhenFull(recordEvents.queue, project.id)
      await batches.add(recordEvents, { projectId: project.id, authorId: author.id, id: randomUUID(), receivedAt, records })

      return reply.code(202).send(accepted)
    }
  )
}

/** What belongs to another kind of event would be stored and never be right. */
function check({ action, note, push_data: push }: Static<typeof EventRecord>, n: number) {
  const refuse = (attribute: string, reason: string) => new ValidationFailed({ [n]: { [attribute]: [reason] } })

  if (note && action !== 'commented') throw refuse('note', 'belongs to the action commented')
  if (push && action !== 'pushed') throw refuse('push_data', 'belongs to the action pushed')
}
