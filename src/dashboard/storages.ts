import type { FastifyInstance, FastifyReply } from 'fastify'
import { redirect } from '#api/redirect.ts'
import { NotFound } from '#lib/refusals.ts'
import { adminPage } from '#pages/admin/admin-page.ts'
import { flash } from '#pages/layout/flash.ts'
import { Form, readForm } from '#pages/layout/form.ts'
import { requirePerson } from '#pages/sign-in/require-sign-in.ts'
import { enqueueMoves } from '#storage-moves/enqueue-moves.ts'
import { continueBulkMove } from '#storage-moves/jobs.ts'
import { moveKinds } from '#storage-moves/move-kinds.ts'
import { describeStorages, listBulkMoves, listFailedMoves } from '#storage-moves/overview.ts'
import { scheduleMove } from '#storage-moves/schedule-move.ts'
import { startBulkMove } from '#storage-moves/start-bulk-move.ts'
import { StorageMove } from '#storage-moves/storage-move.ts'
import { MoveForm, storagesView } from './storages-view.ts'

const path = '/admin/storages'

/** Where repositories lie, how moves between storages go on, and a form that begins them. */
export async function storagesPage(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app, app.requireAdmin) }
  const { config, git, fork, queues } = app.platform

  async function show(reply: FastifyReply, form: Form<typeof MoveForm> = new Form(MoveForm)) {
    const em = fork()
    const now = new Date()
    const view = {
      storages: await describeStorages(em, git.storages),
      bulks: await listBulkMoves(em, now),
      failed: await listFailedMoves(em),
      registryUrl: config.registry?.url,
      form,
      now
    }

    return adminPage(reply, { title: 'Storages', tab: path }, storagesView(reply.request, view))
  }

  app.get(path, guard, (_request, reply) => show(reply))

  app.post(`${path}/moves`, guard, async (request, reply) => {
    const form = readForm(request, MoveForm)
    const saved = await form.save(async ({ destination, ...move }) => {
      const bulk = await startBulkMove(fork(), git.storages, { ...move, destination: destination ?? undefined }, request.actor)

      await queues.enqueue(continueBulkMove, { bulkMoveId: bulk.id })
    })

    if (!saved) return show(reply.code(400), form)
    const { plural } = moveKinds.find(({ name }) => name === form.body.kind)!

    flash(reply, `All ${plural} move away from ${form.body.source}, a few at a time.`)

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
}
