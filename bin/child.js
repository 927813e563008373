import { spawn } from 'node:child_process'
import { Backoff } from './backoff.js'
import { home } from './install.js'
import { prefixed } from './output.js'
import { hasEnded } from './process.js'

/** How often a process is looked at within the time that it may be silent. A launcher that slept itself starts anew. */
const looks = 5

/**
 * Supervises one process of the Procfile. `ready` resolves when the process reports that it is ready, and
 * rejects when it ends before that. Afterwards it is restarted whenever it ends, with backoff, and killed when it is frozen.
 */
export class Child {
  #backoff = new Backoff()
  #silentLooks = 0

  constructor(name, { file, args = [], env = {} }, { onWelcome = () => {}, write = prefixed(name) } = {}) {
    this.name = name
    Object.assign(this, { file, args, env })
    this.onWelcome = onWelcome
    this.write = write
    this.ready = new Promise((resolve, reject) => Object.assign(this, { resolve, reject }))
    // The caller may await it later: avoid an unhandled rejection until then.
    this.ready.catch(() => {})
    this.#start()
  }

  /** Sends SIGTERM; sends SIGKILL if the process does not end in time. */
  async stop(timeoutMs = 35_000) {
    this.stopping = true
    clearTimeout(this.restart)
    if (!this.#isRunning()) return

    const exited = new Promise(resolve => this.process.once('exit', resolve))
    const timer = setTimeout(() => this.kill(), timeoutMs)

    this.process.kill('SIGTERM')
    await exited
    clearTimeout(timer)
  }

  kill() {
    this.stopping = true
    if (this.#isRunning()) this.process.kill('SIGKILL')
  }

  #isRunning() {
    return this.process && !hasEnded(this.process)
  }

  #start() {
    try {
      this.#spawn()
    } catch (error) {
      this.#ended(`could not be started: ${error.message}`)
    }
  }

  #spawn() {
    this.process = spawn(this.file, this.args, {
      cwd: home,
      env: this.env,
      // Its own process group: Ctrl-C in a terminal reaches only the launcher, which stops the processes in order.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc']
    })
    this.process.once('spawn', () => this.#backoff.started())
    this.process.once('error', error => hasEnded(this.process) && this.#ended(`could not be started: ${error.message}`))
    this.process.once('exit', (code, signal) => this.#ended(`ended (${signal ?? `exit code ${code}`})`))
    this.process.on('message', message => this.#receive(message))
    // Without a free file descriptor there are no pipes, only the error event.
    for (const output of [this.process.stdout, this.process.stderr]) output?.setEncoding('utf8').on('data', this.write)
  }

  #receive(message) {
    this.#silentLooks = 0
    if (message.welcome && !this.isReady) this.onWelcome(message.welcome)
    if (message.ready) {
      this.#backoff.reset()
      this.isReady = true
      this.resolve()
      if (message.silentMs) this.#watch(message.silentMs)
    }
  }

  /** Signs of life arrive from now on. */
  #watch(silentMs) {
    const look = () => {
      if (++this.#silentLooks <= looks) return
      clearInterval(this.watching)
      this.write(`has not responded for ${silentMs / 1000} s; killing it\n`)
      this.process.kill('SIGKILL')
    }

    this.watching = setInterval(look, silentMs / looks)
  }

  #ended(reason) {
    clearInterval(this.watching)
    if (this.stopping) return
    if (!this.isReady) return this.reject(new Error(`${this.name} did not start: it ${reason}. See its output above.`))
    const delay = this.#backoff.next()

    this.write(`${reason}; restarting in ${delay / 1000} s\n`)
    this.restart = setTimeout(() => this.#start(), delay)
  }
}
