import type { Logger } from 'pino'
import type { EntityManager } from '../../database/database.ts'
import { minutely, secondsBefore } from './levels.ts'
import { type SampleDeps, takeSample } from './sample-health.ts'
import { readSamples } from './sample-store.ts'

const everyMs = 30_000
/** Samples have the time at which their minute began. */
const lateSeconds = 130

interface Deps extends Omit<SampleDeps, 'em'> {
  fork: () => EntityManager
  log: Logger
}

/** A web process samples while the scheduled job does not run: an admin wants to see the time without workers, above all. */
export class SubstituteSampling {
  #deps: Deps
  #timer: NodeJS.Timeout
  #running = Promise.resolve()

  constructor(deps: Deps) {
    this.#deps = deps
    this.#timer = setInterval(() => {
      this.#running = this.sample(new Date()).catch(error => deps.log.debug({ err: error }, 'failed to sample the health'))
    }, everyMs).unref()
  }

  async sample(now: Date) {
    const em = this.#deps.fork()

    if ((await readSamples(em, minutely.seconds, secondsBefore(now, lateSeconds), now)).length === 0)
      await takeSample({ ...this.#deps, em }, now)
  }

  async stop() {
    clearInterval(this.#timer)
    await this.#running
  }
}
