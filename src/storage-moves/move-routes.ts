import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyBaseLogger } from 'fastify'
import Type from 'typebox'
import { offsetPage, paging } from '#api/pagination/offset.ts'
import { NotFound } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { ById } from '#projects/schemas.ts'
import { findRepository } from '#repositories/find-repository.ts'
import { enqueueMoves } from './enqueue-moves.ts'
import { continueBulkMove } from './jobs.ts'
import { type MoveRow, movesOf } from './list-moves.ts'
import { type MoveKind, moveKinds } from './move-kinds.ts'
import { Accepted, NewBulkMove, NewMove, presentMove, shapeOf } from './move-schemas.ts'
import { scheduleMove } from './schedule-move.ts'
import { startBulkMove } from './start-bulk-move.ts'

/** Moves of the repositories of projects, groups and snippets between storages. */
export const storageMoveRoutes: FastifyPluginAsyncTypebox = async app => {
  for (const kind of moveKinds) await app.register(routesOf(kind))
}

function routesOf(kind: MoveKind): FastifyPluginAsyncTypebox {
  const collection = `/${kind.name}_repository_storage_moves`
  const nested = `/${kind.plural}/:id/repository_storage_moves`
  const MoveShape = shapeOf(kind)

  return async app => {
    const { fork, git, queues, config } = app.platform
    const forAdmins = { config: { role: 'admin' } } as const
    const present = (row: MoveRow) => presentMove(kind, row, config.baseUrl)

    app.get(
      collection,
      {
        ...forAdmins,
        schema: {
          summary: `List storage moves of ${kind.plural}`,
          querystring: Type.Object(paging),
          response: { 200: Type.Array(MoveShape) }
        }
      },
      async (request, reply) => (await offsetPage(request, reply, movesOf(request.em, kind))).map(present)
    )

    app.get(
      `${collection}/:repository_storage_move_id`,
      {
        ...forAdmins,
        schema: {
          summary: `Get a storage move of a ${kind.name}`,
          params: Type.Object({ repository_storage_move_id: Type.Integer() }),
          response: { 200: MoveShape }
        }
      },
      async ({ em, params }) => present(await findMove(em, kind, { id: params.repository_storage_move_id }))
    )

    app.post(
      collection,
      {
        ...forAdmins,
        schema: { summary: `Move all ${kind.plural} away from a storage`, body: NewBulkMove, response: { 202: Accepted } }
      },
      async (request, reply) => {
        const { source_storage_name: source, destination_storage_name: destination } = request.body
        const bulk = await startBulkMove(request.em, git.storages, { kind: kind.name, source, destination }, request.actor)

        await queues.enqueue(continueBulkMove, { bulkMoveId: bulk.id }).catch(logLostJob(request.log))

        return reply.code(202).send({ message: '202 Accepted' })
      }
    )

    app.get(
      nested,
      {
        ...forAdmins,
        schema: {
          summary: `List storage moves of one ${kind.name}`,
          params: ById,
          querystring: Type.Object(paging),
          response: { 200: Type.Array(MoveShape) }
        }
      },
      async (request, reply) => {
        const { id: repositoryId } = await findRepository(request.em, await kind.find(request.em, request.params.id))

        return (await offsetPage(request, reply, movesOf(request.em, kind, { repositoryId }))).map(present)
      }
    )

    app.get(
      `${nested}/:repository_storage_move_id`,
      {
        ...forAdmins,
        schema: {
          summary: `Get a storage move of one ${kind.name}`,
          params: Type.Object({ ...ById.properties, repository_storage_move_id: Type.Integer() }),
          response: { 200: MoveShape }
        }
      },
      async ({ em, params }) => {
        const { id: repositoryId } = await findRepository(em, await kind.find(em, params.id))

        return present(await findMove(em, kind, { repositoryId, id: params.repository_storage_move_id }))
      }
    )

    app.post(
      nested,
      {
        ...forAdmins,
        schema: { summary: `Move a ${kind.name} to another storage`, params: ById, body: NewMove, response: { 201: MoveShape } }
      },
      async (request, reply) => {
        const repository = await findRepository(request.em, await kind.find(request.em, request.params.id))
        const destination = request.body.destination_storage_name
        const move = await scheduleMove(
          request.em,
          git.storages,
          { kind: kind.name, repositoryId: repository.id, destination, by: request.actor },
          new Date()
        )

        await enqueueMoves(queues, [move]).catch(logLostJob(request.log))

        return reply.code(201).send(present(await findMove(fork(), kind, { id: move.id })))
      }
    )
  }
}

/** The move is recorded: a schedule finds it when its job is missing. */
function logLostJob(log: FastifyBaseLogger) {
  return (error: unknown) => log.warn({ err: error }, 'failed to enqueue a storage move; it begins within two minutes')
}

async function findMove(em: EntityManager, kind: MoveKind, filter: { id: number; repositoryId?: number }) {
  const [move] = await movesOf(em, kind, filter).list(1, 0)

  if (!move) throw new NotFound()

  return move
}
