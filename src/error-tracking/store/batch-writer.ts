import type { EntityManager } from '../../platform/database/database.ts'
import { isAway } from '../../platform/problems.ts'
import type { EnvelopeJob } from '../parse/parse-envelope.ts'
import { emptyBatch, type ParsedBatch } from '../parse/parsed-batch.ts'
import type { News } from './event-store.ts'
import { storeFindings } from './store-batch.ts'

interface Batch {
  em: EntityManager
  jobs: EnvelopeJob[]
  findings: ParsedBatch
  resolve: (news: News[]) => void
  reject: (error: unknown) => void
}

/** A transaction holds its groups' rows until it ends; more in it would keep others waiting. */
const mostJobs = 400

/**
 * A transaction costs milliseconds even for a single event. Where events trickle in, those of a beat share one; the first
 * after a rest never waits, nor do so many batches that a transaction is worth it.
 */
const beatMs = 40
const enoughBatches = 4

/** One for each database that a process stores in. */
const lanes = new WeakMap<object, Lane>()

/**
 * Stores the batches of one process, one transaction at a time. Those that are opened meanwhile go into the next one
 * together: a transaction with four small batches costs hardly more than one with a single of them.
 */
export function storeTogether(em: EntityManager, jobs: EnvelopeJob[], findings: ParsedBatch) {
  const lane = lanes.get(em.getDriver()) ?? new Lane()

  lanes.set(em.getDriver(), lane)

  return lane.store(em, jobs, findings)
}

class Lane {
  #waiting: Batch[] = []
  #isUnderWay = false
  #isEnough = () => {}

  store(em: EntityManager, jobs: EnvelopeJob[], findings: ParsedBatch) {
    return new Promise<News[]>((resolve, reject) => {
      this.#waiting.push({ em, jobs, findings, resolve, reject })
      if (!this.#isUnderWay) void this.#storeAll()
      else if (this.#waiting.length >= enoughBatches) this.#isEnough()
    })
  }

  async #storeAll() {
    this.#isUnderWay = true
    while (this.#waiting.length > 0) {
      const begunAt = performance.now()

      await storeBatches(this.#next())
      await this.#gather(begunAt + beatMs)
    }
    this.#isUnderWay = false
  }

  async #gather(until: number) {
    const ms = until - performance.now()

    if (ms <= 0 || this.#waiting.length >= enoughBatches) return
    await new Promise<void>(resolve => {
      const timer = setTimeout(resolve, ms)

      this.#isEnough = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  #next() {
    let jobs = 0
    const end = this.#waiting.findIndex((batch, n) => {
      jobs += batch.jobs.length
      return n > 0 && jobs > mostJobs
    })

    return this.#waiting.splice(0, end === -1 ? this.#waiting.length : end)
  }
}

/** Together when that goes well; or else each by itself, so that none fails for another's sake. */
async function storeBatches(batches: Batch[]) {
  const [first] = batches

  try {
    const all = await storeFindings(
      first!.em,
      batches.flatMap(({ jobs }) => jobs),
      mergeFindings(batches.map(({ findings }) => findings))
    )

    for (const { jobs, resolve } of batches) resolve(newsOf(jobs, all))
  } catch (error) {
    // Nobody would fare better alone with a database that is away, only wait longer for that.
    if (batches.length === 1 || isAway(error)) for (const { reject } of batches) reject(error)
    else for (const batch of batches) await storeBatches([batch])
  }
}

/** What a batch would hear were it worked again alone. */
function newsOf(jobs: EnvelopeJob[], news: News[]) {
  if (news.length === 0) return news
  const own = new Set(jobs.map(({ id }) => id))

  return news.filter(({ envelopeId }) => own.has(envelopeId))
}

export function mergeFindings(all: ParsedBatch[]) {
  if (all.length === 1) return all[0]!
  const merged = emptyBatch()

  for (const kind of Object.keys(merged) as (keyof ParsedBatch)[]) merged[kind] = all.flatMap(findings => findings[kind] as never[])

  return merged
}
