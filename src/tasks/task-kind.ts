import type { EntityManager } from '#platform/database/database.ts'
import type { Step, Task } from './task.ts'

/** What a step is given. */
export interface StepInput<Params, Cursor> {
  params: Params
  /** Where the step before ended; null for the first one. */
  cursor: Cursor | null
  task: Task
  at: Date
  /** Aborted on shutdown: a step that throws then is taken again by another worker. */
  signal: AbortSignal
}

/** A kind of long work. `workers/task-kinds.ts` lists all of them. */
export interface TaskKind<Params = unknown, Cursor = unknown> {
  /** `domain.verb`. */
  name: string
  /** Does a part that takes a few seconds at most, in the transaction that stores the progress: so nothing is done twice. */
  step(em: EntityManager, input: StepInput<Params, Cursor>): Promise<Step<Cursor>>
}
