import { setTimeout as sleep } from 'node:timers/promises'
import { prefixed } from './output.js'
import { EmbeddedPostgres } from './postgres.js'

const firstPause = 500
const longestPause = 30_000
const settled = 60_000

/** Keeps the embedded Postgres running until the signal to stop: whenever it ends it is started again, each time a little later. */
export class PostgresKeeper {
  constructor({ dataDir, signal }) {
    this.signal = signal
    this.write = prefixed('postgres')
    this.postgres = new EmbeddedPostgres({
      dataDir,
      write: chunk => this.write(String(chunk).replace(/^(LOG: |FATAL: +the database system is starting up).*\n/gm, ''))
    })
  }

  get url() {
    return this.postgres.url
  }

  async start(pause = firstPause) {
    await this.postgres.prepare()
    const server = await this.postgres.start()
    const startedAt = Date.now()

    server.once('exit', (code, signal) =>
      this.#restart(`ended (${signal ?? `exit code ${code}`})`, Date.now() - startedAt > settled ? firstPause : pause)
    )
  }

  stop() {
    return this.postgres.stop()
  }

  /** As often as it takes: what keeps it from starting (sessions that linger, a full disk) may pass. */
  async #restart(reason, pause) {
    if (this.signal.aborted) return
    this.write(`${reason}; starting it again in ${pause / 1000} s\n`)
    await sleep(pause)
    if (this.signal.aborted) return

    const longer = Math.min(pause * 2, longestPause)

    try {
      await this.start(longer)
    } catch (error) {
      await this.#restart(error.message, longer)
    }
  }
}
