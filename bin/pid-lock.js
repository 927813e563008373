import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { isRunningScript, pause } from './process.js'

/** A lock file that holds the process id of its holder. A lock whose holder is gone is stale, and replaced. */
export class PidLock {
  /** `script` matches the command line of every process that may hold the lock. */
  constructor(file, script) {
    this.file = file
    this.script = script
  }

  /** Acquires the lock, or returns the id of the process that holds it. */
  acquire() {
    mkdirSync(dirname(this.file), { recursive: true, mode: 0o700 })
    while (!this.#create()) {
      const holder = this.#holder() || this.#laterHolder()

      if (holder && holder !== process.pid && isRunningScript(holder, this.script)) return holder
      this.#removeStale(holder)
    }

    return undefined
  }

  /** The running process that holds the lock, if it is another one. */
  holder() {
    const holder = this.#holder()

    return holder && holder !== process.pid && isRunningScript(holder, this.script) ? holder : undefined
  }

  release() {
    if (this.#holder() === process.pid) rmSync(this.file, { force: true })
  }

  #create() {
    try {
      writeFileSync(this.file, `${process.pid}\n`, { flag: 'wx' })
      return true
    } catch (error) {
      if (error.code === 'EEXIST') return false
      throw error
    }
  }

  #holder() {
    try {
      return Number(readFileSync(this.file, 'utf8'))
    } catch {
      return undefined
    }
  }

  // A lock that another process has just created is empty until its id is written.
  #laterHolder() {
    pause(50)

    return this.#holder()
  }

  // Two processes may find the same stale lock: the slower one must not remove the lock that the faster one has created.
  #removeStale(holder) {
    const aside = `${this.file}.${process.pid}`

    try {
      renameSync(this.file, aside)
      if (Number(readFileSync(aside, 'utf8')) === (holder ?? 0)) rmSync(aside)
      else renameSync(aside, this.file)
    } catch (error) {
      if (error.code !== 'ENOENT') throw error
    }
  }
}
