import type { Test } from 'tap'
import type { Platform } from '#boot.ts'
import { takeTurn } from '#tasks/run-task.ts'
import type { TaskKind } from '#tasks/task-kind.ts'
import { taskKinds } from '../../workers/task-kinds.ts'

/** Takes one step of a task, as a worker does that is told to stop meanwhile. */
export async function oneStep(t: Test, platform: Platform, { id, run }: { id: number; run: number }) {
  const stop = new AbortController()
  const kinds = taskKinds.map(kind => ({ ...kind, step: stopAfter(kind, stop) }))

  await t.rejects(takeTurn({ ...platform, signal: stop.signal }, kinds, { taskId: Number(id), run }), { name: 'AbortError' })
}

function stopAfter(kind: TaskKind, stop: AbortController): TaskKind['step'] {
  return async (em, input) => {
    const done = await kind.step(em, input)

    stop.abort()

    return done
  }
}
