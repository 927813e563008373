import { LRUCache } from 'lru-cache'

const windowMs = 60_000
const maxCauses = 1000

type Log = (count: number) => void

/** Logs a failure once per cause and minute: an outage must not fill the disk. Repetitions are logged with their count. */
export class RepeatedFailures {
  #counts = new LRUCache<string, { count: number }>({ max: maxCauses })

  /** True for a repetition, which `log` reports at the end of the minute. */
  countRepeat(cause: string, log: Log) {
    const repeated = this.#counts.get(cause)

    if (repeated) {
      repeated.count++
      return true
    }
    const entry = { count: 0 }

    this.#counts.set(cause, entry)
    setTimeout(() => {
      this.#counts.delete(cause)
      if (entry.count > 0) log(entry.count)
    }, windowMs).unref()

    return false
  }
}
