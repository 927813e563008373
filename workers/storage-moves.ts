import { handle } from '#platform/queue/handler.ts'
import { carryOutMove } from '#storage-moves/carry-out-move.ts'
import { continueBulk } from '#storage-moves/continue-bulk-move.ts'
import { enqueueMoves, resume } from '#storage-moves/enqueue-moves.ts'
import { continueBulkMove, moveRepository, resumeMoves } from '#storage-moves/jobs.ts'
import { abandonMove } from '#storage-moves/move-steps.ts'
import { StorageMove } from '#storage-moves/storage-move.ts'

export const storageMoves = [
  handle(
    moveRepository,
    async (items, { em, git, queues, signal }) => {
      for (const { moveId, attempt } of items) {
        await carryOutMove({ git, fork: () => em.fork(), signal }, moveId, attempt)
        const { bulkMoveId } = (await em.fork().findOne(StorageMove, { id: moveId })) ?? {}

        if (bulkMoveId) await queues.enqueue(continueBulkMove, { bulkMoveId })
      }
    },
    {
      failed: async (items, { em }) => {
        for (const { moveId } of items) await abandonMove(em.fork(), moveId, new Date())
      }
    }
  ),
  handle(continueBulkMove, async (items, { em, git, queues }) => {
    for (const { bulkMoveId } of items) {
      const { moves, hasRoom } = await continueBulk(em, git.storages, bulkMoveId, new Date())

      await enqueueMoves(queues, moves)
      if (hasRoom) await queues.enqueue(continueBulkMove, { bulkMoveId })
    }
  }),
  handle(resumeMoves, (_items, { em, queues }) => resume(em, queues))
]
