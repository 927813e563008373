import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** One launcher at a time on a data directory. */
export class Lock {
  constructor(dir) {
    this.dir = dir
    this.file = join(dir, 'tocsin.pid')
  }

  take() {
    mkdirSync(this.dir, { recursive: true })
    const holder = this.#holder()

    if (holder && isLauncher(holder)) {
      throw new Error(`Tocsin already runs on ${this.dir} (process ${holder}). Stop that one, or give this one its own DATA_DIR and PORT.`)
    }
    writeFileSync(this.file, `${process.pid}\n`)
  }

  release() {
    if (this.#holder() === process.pid) rmSync(this.file, { force: true })
  }

  #holder() {
    try {
      return Number(readFileSync(this.file, 'utf8'))
    } catch {
      return undefined
    }
  }
}

// A number left behind by a kill -9 may belong to something else by now.
function isLauncher(pid) {
  if (pid === process.pid) return false

  try {
    process.kill(pid, 0)
    return process.platform !== 'linux' || readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('start.js')
  } catch {
    return false
  }
}
