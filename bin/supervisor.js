import { spawn } from 'node:child_process'
import { environment, node, root } from './install.js'
import { prefixed } from './output.js'

const firstPause = 500
const longestPause = 30_000
const settled = 60_000

/**
 * Keeps one process of the Procfile running. Resolves `ready` once the process says so;
 * after that it is started again whenever it ends, each time a little later.
 */
export class Child {
  constructor(name, command, { env = {}, onWelcome = () => {} } = {}) {
    this.name = name
    this.command = command
    this.env = env
    this.onWelcome = onWelcome
    this.write = prefixed(name)
    this.pause = firstPause
    this.ready = new Promise((resolve, reject) => Object.assign(this, { resolve, reject }))
    // Somebody may look only later.
    this.ready.catch(() => {})
    this.#spawn()
  }

  /** Asks the process to finish what it does; kills it when that takes too long. */
  async stop(patience = 35_000) {
    this.stopping = true
    clearTimeout(this.restart)
    if (!this.#isRunning()) return

    const gone = new Promise(resolve => this.process.once('exit', resolve))
    const timer = setTimeout(() => this.kill(), patience)

    this.process.kill('SIGTERM')
    await gone
    clearTimeout(timer)
  }

  kill() {
    this.stopping = true
    if (this.#isRunning()) this.process.kill('SIGKILL')
  }

  #isRunning() {
    return this.process && this.process.exitCode === null && this.process.signalCode === null
  }

  #spawn() {
    const [program, ...args] = this.command.split(/\s+/)

    this.startedAt = Date.now()
    this.process = spawn(program === 'node' ? node : program, args, {
      cwd: root,
      env: environment(this.env),
      // A group of its own: Ctrl-C in a terminal is for the supervisor, which stops things in order.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc']
    })
    for (const output of [this.process.stdout, this.process.stderr]) output.setEncoding('utf8').on('data', this.write)
    this.process.on('message', message => this.#hear(message))
    this.process.once('error', error => this.reject(new Error(`${this.name} could not be started: ${error.message}`)))
    this.process.once('exit', (code, signal) => this.#ended(code, signal))
  }

  #hear(message) {
    if (message.welcome) this.onWelcome(message.welcome)
    if (message.ready) {
      this.isReady = true
      this.resolve()
    }
  }

  #ended(code, signal) {
    if (this.stopping) return
    if (!this.isReady) {
      this.reject(new Error(`${this.name} did not start (${signal ?? `exit code ${code}`}); its last lines are above.`))
      return
    }
    if (Date.now() - this.startedAt > settled) this.pause = firstPause

    this.write(`ended (${signal ?? `exit code ${code}`}); starting it again in ${this.pause / 1000} s\n`)
    this.restart = setTimeout(() => this.#spawn(), this.pause)
    this.pause = Math.min(this.pause * 2, longestPause)
  }
}
