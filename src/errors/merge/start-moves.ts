import type { Logger } from 'pino'
import type { EntityManager } from '#platform/database/database.ts'
import type { Queues } from '#platform/queue/queues.ts'
import { moveEvents } from '../jobs.ts'
import { finishMove } from './move-events.ts'

/** More events are moved by a job. */
const maxMovedInRequest = 10_000

export interface MoveDeps {
  fork: () => EntityManager
  queues: Pick<Queues, 'enqueue'>
  log: Logger
}

/** Moves the events of a merge or an unmerge: few at once, many by a job. */
export async function startMoves({ fork, queues, log }: MoveDeps, moves: { id: number; events: number }[]) {
  const isSmall = moves.reduce((sum, { events }) => sum + events, 0) <= maxMovedInRequest

  if (isSmall) for (const { id } of moves) await finishMove(fork(), id)
  // If the queue is unreachable, the schedule starts the job later.
  else await queues.enqueue(moveEvents, {}).catch(error => log.warn({ err: error }, 'failed to enqueue the move of events'))
}
