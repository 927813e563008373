import { defineEntity, p } from '@mikro-orm/core'
import { User } from '#identity/users/user.ts'
import { updatedAt } from '#platform/database/updated-at.ts'

/** What audit events say of who began a task, apart from the user. */
export interface Origin {
  ip: string
  sudoerId?: number
  applicationId?: number | null
  chain?: string
}

export type TaskState = 'waiting' | 'running' | 'finished' | 'failed'

export const TaskSchema = defineEntity({
  name: 'Task',
  tableName: 'tasks',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    kind: p.text(),
    title: p.text(),
    author: () => p.manyToOne(User).nullable(),
    origin: p.json().$type<Origin>(),
    projectId: p.bigint('number').nullable(),
    params: p.json<unknown>(),
    /** Where the next step begins; null for the first one. */
    cursor: p.json<unknown>().nullable(),
    state: p.text().$type<TaskState>().default('waiting'),
    done: p.bigint('number').default(0),
    /** Null while it is not known. */
    total: p.bigint('number').nullable(),
    startedAt: p.datetime(3).nullable(),
    doneBefore: p.bigint('number').default(0),
    failures: p.integer().default(0),
    /** Why it failed, as a sentence. */
    failure: p.text().nullable(),
    run: p.integer().default(1),
    leasedUntil: p.datetime(3),
    createdAt: p.datetime(3).onCreate(() => new Date()),
    updatedAt: updatedAt(),
    finishedAt: p.datetime(3).nullable()
  }
})

/** What a step did. */
export interface Step<Cursor = unknown> {
  done: number
  /** When it has just become known, or is known better. */
  total?: number | null
  /** Where the next step begins; undefined after the last one. */
  next?: Cursor
}

/** A worker that has not taken a step for so long is gone. */
const leaseMs = 60_000
const maxFailures = 5
/** Before the second, third, fourth and fifth try of a step. */
const pausesMs = [1000, 4000, 10_000, 20_000]

/** Long work that is done in steps. */
export class Task extends TaskSchema.class {
  advance({ done, total, next }: Step, at: Date) {
    this.startedAt ??= at
    this.state = next === undefined ? 'finished' : 'running'
    this.cursor = next ?? null
    this.done += done
    if (total !== undefined) this.total = total
    // Totals may be estimates.
    if (this.total !== null && this.total! < this.done) this.total = this.done
    this.failures = 0
    this.extendLease(at)
    if (this.state === 'finished') {
      this.total = this.done
      this.finishedAt = at
    }
  }

  /** The step will be tried again after a pause, which is returned; after the last try the task has failed. */
  failStep(reason: string, at: Date) {
    const pauseMs = pausesMs[this.failures]

    this.failures++
    this.extendLease(at, pauseMs)
    if (this.failures < maxFailures) return pauseMs
    this.state = 'failed'
    this.failure = reason

    return undefined
  }

  /** It goes on where it failed. */
  tryAgain(at: Date) {
    this.state = 'waiting'
    this.failure = null
    this.failures = 0
    this.startedAt = null
    this.doneBefore = this.done
    this.run++
    this.extendLease(at)
  }

  isOpen() {
    return this.state === 'waiting' || this.state === 'running'
  }

  extendLease(at: Date, afterMs = 0) {
    this.leasedUntil = new Date(at.getTime() + afterMs + leaseMs)
  }

  /** At the pace since it began; undefined until there is one. */
  secondsLeft() {
    const { startedAt, updatedAt, total, done, doneBefore } = this
    const seconds = startedAt ? (updatedAt.getTime() - startedAt.getTime()) / 1000 : 0

    if (!this.isOpen() || typeof total !== 'number' || seconds < 1 || done <= doneBefore) return undefined

    return ((total - done) * seconds) / (done - doneBefore)
  }
}

TaskSchema.setClass(Task)
