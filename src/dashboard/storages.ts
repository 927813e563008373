import type { FastifyInstance, FastifyReply } from 'fastify'
import { redirect } from '#api/redirect.ts'
import type { actorOf } from '#audit/record-audit-event.ts'
import { NotFound, Refusal } from '#lib/refusals.ts'
import { adminPage } from '#pages/admin/admin-page.ts'
import { flash } from '#pages/layout/flash.ts'
import { textOf } from '#pages/layout/forms.ts'
import { requirePerson } from '#pages/sign-in/require-sign-in.ts'
import type { MoveKindName } from '#storage-moves/bulk-move.ts'
import { enqueueMoves } from '#storage-moves/enqueue-moves.ts'
import { continueBulkMove } from '#storage-moves/jobs.ts'
import { moveKinds } from '#storage-moves/move-kinds.ts'
import { describeStorages, listBulkMoves, listFailedMoves } from '#storage-moves/overview.ts'
import { scheduleMove } from '#storage-moves/schedule-move.ts'
import { startBulkMove } from '#storage-moves/start-bulk-move.ts'
import { StorageMove } from '#storage-moves/storage-move.ts'
import { storagesView } from './storages-view.ts'

const path = '/admin/storages'

/** Where repositories lie, how moves between storages go on, and a form that begins them. */
export async function storagesPage(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app, app.requireAdmin) }
  const { config, git, fork, queues } = app.platform

  async function show(reply: FastifyReply, problem?: string) {
    const em = fork()
    const now = new Date()
    const view = {
      storages: await describeStorages(em, git.storages),
      bulks: await listBulkMoves(em, now),
      failed: await listFailedMoves(em),
      kinds: moveKinds.map(({ name }) => name),
      registryUrl: config.registry?.url,
      problem,
      now
    }

    return adminPage(reply, { title: 'Storages', tab: path }, storagesView(reply.request, view))
  }

  app.get(path, guard, (_request, reply) => show(reply))

  app.post(`${path}/moves`, guard, async (request, reply) => {
    const kind = moveKinds.find(({ name }) => name === textOf(request, 'kind'))
    const source = textOf(request, 'source')
    const destination = textOf(request, 'destination') || undefined

    if (!kind) return show(reply.code(400), 'Choose what to move.')
    try {
      await begin(kind.name, source, destination, request)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error

      return show(reply.code(400), 'Choose two different storages.')
    }
    flash(reply, `All ${kind.plural} move away from ${source}, a few at a time.`)

    return redirect(reply, path)
  })

  app.post<{ Params: { id: string } }>(`${path}/moves/:id(^\\d{1,15}$)/again`, guard, async ({ em, actor, params }, reply) => {
    const former = await em.findOne(StorageMove, { id: Number(params.id), state: 'failed' })

    if (!former) throw new NotFound('Failed Move')
    const { repositoryId, destinationStorage: destination } = former
    const move = await scheduleMove(em, git.storages, { repositoryId, kind: 'repository', destination, by: actor }, new Date())

    await enqueueMoves(queues, [move])
    flash(reply, 'Move rescheduled.')

    return redirect(reply, path)
  })

  async function begin(kind: MoveKindName, source: string, destination: string | undefined, request: Parameters<typeof actorOf>[0]) {
    const bulk = await startBulkMove(fork(), git.storages, { kind, source, destination }, request.actor)

    await queues.enqueue(continueBulkMove, { bulkMoveId: bulk.id })
  }
}
