import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { actorOf, record } from '../../audit/record-audit-event.ts'
import { offsetPage, paging } from '../../http/pagination/offset.ts'
import { writeTime } from '../../http/parameters/time.ts'
import { callerOf } from '../../identity/identify.ts'
import { ErrorGroup } from '../groups/error-group.ts'
import { findGroupFor } from '../groups/find-group.ts'
import { ErrorParams, ErrorShape, HashShape, Merge, Unmerge } from '../groups/group-schemas.ts'
import { plain, presentError } from '../groups/present-group.ts'
import { moveEvents } from '../jobs.ts'
import { countHashes, type HashRow, listHashes } from './group-hashes.ts'
import { mergeGroups } from './merge-groups.ts'
import { finishMove } from './move-events.ts'
import { unmergeGroup } from './unmerge-group.ts'

/** So many events are brought to their place while the caller waits; what is larger is left to a job. */
const mostAtOnce = 10_000

/** What grouping took for two problems made one, and what it took for one made two. */
export const regroupRoutes: FastifyPluginAsyncTypebox<{ path: string }> = async (app, { path }) => {
  const { fork, queues } = app.platform
  const guard = { onRequest: app.requireUser }

  app.get(
    `${path}/:fingerprint/hashes`,
    {
      ...guard,
      config: { role: 'developer' },
      schema: {
        summary: 'What the events of an error have in common, hash by hash',
        params: ErrorParams,
        querystring: Type.Object(paging),
        response: { 200: Type.Array(HashShape) }
      }
    },
    async (request, reply) => {
      const em = fork()
      const group = await findGroupFor(em, callerOf(request), request.params)
      const hashes = await offsetPage(request, reply, {
        list: (limit, offset) => listHashes(em, group, limit, offset),
        count: most => countHashes(em, group, most)
      })

      return hashes.map(presentHash)
    }
  )

  app.post(
    `${path}/:fingerprint/merge`,
    {
      ...guard,
      config: { role: 'developer', additionalStatuses: [409] },
      schema: { summary: 'Merge other errors into this one', params: ErrorParams, body: Merge, response: { 201: ErrorShape } }
    },
    async (request, reply) => {
      const em = fork()
      const group = await findGroupFor(em, callerOf(request), request.params)
      const { fingerprints } = request.body
      const entity = entityOf(group, request.params.id)
      const moves = await em.transactional(async em => {
        record(em, actorOf(request), { name: 'errors_merged', entity, details: { into: group.id, fingerprints } })

        return mergeGroups(em, group, fingerprints)
      })

      await bring(moves)

      return reply.code(201).send(presentError(await em.refreshOrFail(group)))
    }
  )

  app.post(
    `${path}/:fingerprint/unmerge`,
    {
      ...guard,
      config: { role: 'developer', additionalStatuses: [409] },
      schema: {
        summary: 'Give some hashes of an error an error of their own, which is shown',
        params: ErrorParams,
        body: Unmerge,
        response: { 201: ErrorShape }
      }
    },
    async (request, reply) => {
      const em = fork()
      const group = await findGroupFor(em, callerOf(request), request.params)
      const { hashes } = request.body
      const entity = entityOf(group, request.params.id)
      const { newId, move } = await em.transactional(async em => {
        const unmerged = await unmergeGroup(em, group, hashes)

        record(em, actorOf(request), { name: 'error_unmerged', entity, details: { from: group.id, into: unmerged.newId, hashes } })

        return unmerged
      })

      await bring([move])

      return reply.code(201).send(presentError(await fork().findOneOrFail(ErrorGroup, { id: newId })))
    }
  )

  async function bring(moves: { id: number; events: number }[]) {
    const isSmall = moves.reduce((sum, { events }) => sum + events, 0) <= mostAtOnce

    if (isSmall) for (const { id } of moves) await finishMove(fork(), id)
    // Without a queue the clock sees to it.
    else await queues.enqueue(moveEvents, {}).catch(error => app.log.warn({ err: error }, 'events on their way have to wait'))
  }
}

function entityOf({ projectId }: ErrorGroup, path: string) {
  return { type: 'Project' as const, id: projectId, path }
}

function presentHash({ hash, events, latest_event, latest_at }: HashRow) {
  return {
    hash: hash.toString('hex'),
    event_count: Number(events),
    latest_event_id: plain(latest_event ?? undefined),
    latest_event_at: latest_at && writeTime(latest_at)
  }
}
