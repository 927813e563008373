import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { actorOf } from '../../audit/record-audit-event.ts'
import { offsetPage, paging } from '../../http/pagination/offset.ts'
import { writeTime } from '../../http/parameters/time.ts'
import { callerOf } from '../../identity/identify.ts'
import { ErrorGroup } from '../groups/error-group.ts'
import { findError } from '../groups/find-group.ts'
import { ErrorParams, ErrorShape } from '../groups/group-schemas.ts'
import { plainId, presentError } from '../groups/present-group.ts'
import { moveEvents } from '../jobs.ts'
import { countHashes, type HashRow, listHashes } from './list-hashes.ts'
import { mergeGroups } from './merge-groups.ts'
import { HashShape, Merge, Unmerge } from './merge-schemas.ts'
import { finishMove } from './move-events.ts'
import { unmergeGroup } from './unmerge-group.ts'

/** More events are moved by a job. */
const maxMovedInRequest = 10_000

export const mergeRoutes: FastifyPluginAsyncTypebox<{ path: string }> = async (app, { path }) => {
  const { fork, queues } = app.platform
  const guard = { onRequest: app.requireUser, config: { role: 'developer' as const, additionalStatuses: [409 as const] } }

  app.get(
    `${path}/:fingerprint/hashes`,
    {
      onRequest: app.requireUser,
      config: { role: 'developer' },
      schema: {
        summary: 'List the hashes of an error',
        params: ErrorParams,
        querystring: Type.Object(paging),
        response: { 200: Type.Array(HashShape) }
      }
    },
    async (request, reply) => {
      const em = fork()
      const { group } = await findError(em, callerOf(request), request.params)
      const hashes = await offsetPage(request, reply, {
        list: (limit, offset) => listHashes(em, group, limit, offset),
        count: max => countHashes(em, group, max)
      })

      return hashes.map(presentHash)
    }
  )

  app.post(
    `${path}/:fingerprint/merge`,
    {
      ...guard,
      schema: { summary: 'Merge other errors into an error', params: ErrorParams, body: Merge, response: { 201: ErrorShape } }
    },
    async (request, reply) => {
      const em = fork()
      const subject = await findError(em, callerOf(request), request.params)

      await move(await mergeGroups(em, subject, request.body.fingerprints, actorOf(request)))

      return reply.code(201).send(presentError(await em.refreshOrFail(subject.group)))
    }
  )

  app.post(
    `${path}/:fingerprint/unmerge`,
    {
      ...guard,
      schema: {
        summary: 'Unmerge hashes of an error into a new error',
        params: ErrorParams,
        body: Unmerge,
        response: { 201: ErrorShape }
      }
    },
    async (request, reply) => {
      const em = fork()
      const subject = await findError(em, callerOf(request), request.params)
      const { created, move: events } = await unmergeGroup(em, subject, request.body.hashes, actorOf(request))

      await move([events])

      return reply.code(201).send(presentError(await fork().findOneOrFail(ErrorGroup, { id: created.id })))
    }
  )

  async function move(moves: { id: number; events: number }[]) {
    const isSmall = moves.reduce((sum, { events }) => sum + events, 0) <= maxMovedInRequest

    if (isSmall) for (const { id } of moves) await finishMove(fork(), id)
    // If the queue is unreachable, the schedule starts the job later.
    else await queues.enqueue(moveEvents, {}).catch(error => app.log.warn({ err: error }, 'failed to enqueue the move of events'))
  }
}

function presentHash({ hash, events, latest_event, latest_at }: HashRow) {
  return {
    hash: hash.toString('hex'),
    event_count: Number(events),
    latest_event_id: plainId(latest_event),
    latest_event_at: latest_at && writeTime(latest_at)
  }
}
