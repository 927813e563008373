import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { offsetPage, paging } from '#api/pagination/offset.ts'
import { Nullable } from '#lib/nullable.ts'
import { writeTime } from '#lib/time.ts'
import { ErrorGroup } from '../groups/error-group.ts'
import { findError } from '../groups/find-group.ts'
import { ErrorParams, ErrorShape } from '../groups/group-schemas.ts'
import { plainId, presentError } from '../groups/present-group.ts'
import { type HashRow, listHashes } from './list-hashes.ts'
import { mergeGroups } from './merge-groups.ts'
import { startMoves } from './start-moves.ts'
import { unmergeGroup } from './unmerge-group.ts'

const Merge = Type.Object({
  fingerprints: Type.Array(Type.Integer(), {
    minItems: 1,
    maxItems: 100,
    description: 'Fingerprints of the errors to merge into this one.'
  })
})

const Unmerge = Type.Object({
  hashes: Type.Array(Type.String({ pattern: '^[0-9a-f]{40}$' }), {
    minItems: 1,
    maxItems: 1000,
    description: 'Hashes to move to a new error; at least one must remain.'
  })
})

const HashShape = Type.Object({
  hash: Type.String(),
  event_count: Type.Integer({ description: 'Events with the hash among the latest 50,000 of the error.' }),
  latest_event_id: Nullable(Type.String()),
  latest_event_at: Nullable(Type.String())
})

export const mergeRoutes: FastifyPluginAsyncTypebox<{ path: string }> = async (app, { path }) => {
  const { fork } = app.platform
  const guard = { config: { role: 'developer' as const, additionalStatuses: [409 as const] } }

  app.get(
    `${path}/:fingerprint/hashes`,
    {
      config: { role: 'developer' },
      schema: {
        summary: 'List the hashes of an error',
        params: ErrorParams,
        querystring: Type.Object(paging),
        response: { 200: Type.Array(HashShape) }
      }
    },
    async (request, reply) => {
      const { group } = await findError(request.em, request.user, request.params)
      const hashes = await offsetPage(request, reply, await listHashes(request.em, group))

      return hashes.map(presentHash)
    }
  )

  app.post(
    `${path}/:fingerprint/merge`,
    {
      ...guard,
      schema: { summary: 'Merge other errors into an error', params: ErrorParams, body: Merge, response: { 201: ErrorShape } }
    },
    async ({ em, user, actor, params, body }, reply) => {
      const subject = await findError(em, user, params)

      await startMoves(app.platform, await mergeGroups(em, subject, body.fingerprints, actor))

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
    async ({ em, user, actor, params, body }, reply) => {
      const subject = await findError(em, user, params)
      const { created, move: events } = await unmergeGroup(em, subject, body.hashes, actor)

      await startMoves(app.platform, [events])

      return reply.code(201).send(presentError(await fork().findOneOrFail(ErrorGroup, { id: created.id })))
    }
  )
}

function presentHash({ hash, events, latest_event, latest_at }: HashRow) {
  return {
    hash: hash.toString('hex'),
    event_count: events,
    latest_event_id: plainId(latest_event),
    latest_event_at: latest_at && writeTime(latest_at)
  }
}
