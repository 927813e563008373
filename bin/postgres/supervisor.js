import { setTimeout as sleep } from 'node:timers/promises'
import { Backoff } from '../backoff.js'
import { prefixed } from '../output.js'
import { EmbeddedPostgres } from './embedded-postgres.js'

/** Keeps the embedded Postgres running until `signal` aborts: restarts it with backoff whenever it ends. */
export class PostgresSupervisor {
  #backoff = new Backoff()

  constructor({ dataDir, settings, signal }) {
    this.signal = signal
    this.write = prefixed('postgres')
    this.postgres = new EmbeddedPostgres({
      dataDir,
      settings,
      write: chunk => this.write(String(chunk).replace(/^(LOG: |FATAL: +the database system is starting up).*\n/gm, ''))
    })
  }

  async start() {
    await this.postgres.prepare()
    const server = await this.postgres.start()

    this.#backoff.started()
    server.once('exit', (code, signal) => this.#restart(`ended (${signal ?? `exit code ${code}`})`))
  }

  stop() {
    return this.postgres.stop()
  }

  /** Retries without a limit: the cause (lingering sessions, a full disk) may be temporary. */
  async #restart(reason) {
    if (this.signal.aborted) return
    const delay = this.#backoff.next()

    this.write(`${reason}; restarting in ${delay / 1000} s\n`)
    await sleep(delay)
    if (this.signal.aborted) return

    try {
      await this.start()
    } catch (error) {
      await this.#restart(error.message)
    }
  }
}
