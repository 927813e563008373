import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PidLock } from './pid-lock.js'
import { isRunningScript, pause } from './process.js'

/** In the command line of every process that installs, or became a program. */
const script = /\bbin\/(start|test|test-sdks|bench|mutate|release|install|tocsin)\.js\b|\.bundle\//

/** Serialises installations of one checkout, and lists the processes that use the installed modules. */
export class InstallLock {
  constructor(root) {
    this.dir = join(root, '.install')
    this.lock = new PidLock(join(this.dir, 'lock'), script)
  }

  /** Runs `install` once no other process installs. */
  run(install) {
    let holder = this.lock.acquire()

    if (holder) console.log(`Waiting for the installation by process ${holder} …`)
    for (; holder; holder = this.lock.acquire()) pause(200)

    // A failed installation exits.
    process.once('exit', () => this.lock.release())
    install()
    this.lock.release()
  }

  /** Registers this process as a user of the modules until it exits. */
  register() {
    const file = join(this.dir, String(process.pid))

    try {
      mkdirSync(this.dir, { recursive: true })
      writeFileSync(file, '')
      process.on('exit', () => rmSync(file, { force: true }))
    } catch {
      // A read-only checkout cannot be installed into either.
    }
  }

  /** The other processes that use the modules. */
  users() {
    if (!existsSync(this.dir)) return []

    const pids = readdirSync(this.dir).filter(name => /^\d+$/.test(name))
    const running = pids.filter(pid => isRunningScript(Number(pid), script))

    for (const pid of pids.filter(pid => !running.includes(pid))) rmSync(join(this.dir, pid), { force: true })

    return running.map(Number).filter(pid => pid !== process.pid)
  }
}
