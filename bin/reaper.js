import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const marker = 'REAPER_RUN'
const graceMs = 5000

/**
 * Kills the processes of a test or benchmark run when the run is over, even after a kill -9 of the runner.
 * On Linux they are found by an environment variable, elsewhere by their process group.
 */
export class Reaper {
  id = randomUUID()

  constructor() {
    const { [marker]: _, ...env } = process.env

    // For the embedded Postgres that this process starts.
    process.env[marker] = this.id
    // Its own process group, so that it survives Ctrl-C.
    this.process = spawn(process.execPath, [fileURLToPath(import.meta.url), this.id], {
      env,
      detached: true,
      stdio: ['pipe', 'ignore', 'inherit']
    })
    this.process.stdin.on('error', () => {})
  }

  /** Spawns a process of the run in a process group of its own. */
  spawn(program, args, options) {
    const child = spawn(program, args, { ...options, detached: true, env: { ...options.env, [marker]: this.id } })

    if (child.pid) this.process.stdin.write(`${child.pid}\n`)

    return child
  }

  /** Kills what is left of the run. */
  async finish() {
    const finished = new Promise(resolve => this.process.once('exit', resolve))

    this.process.stdin.end()
    await finished
  }
}

/** Runs one program with a reaper and returns its exit code. SIGINT and SIGTERM are passed on. */
export async function runToEnd(program, args, options) {
  const reaper = new Reaper()
  const child = reaper.spawn(program, args, { stdio: 'inherit', ...options })

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  const code = await new Promise(resolve => child.once('exit', resolve).once('error', () => resolve(1)))

  await reaper.finish()

  return code ?? 1
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await reap(process.argv[2])

async function reap(id) {
  let groups = ''

  // Ends when the runner closes it, or is gone.
  for await (const chunk of process.stdin) groups += chunk

  const deadline = Date.now() + graceMs

  for (const group of groups.split('\n').filter(Boolean)) kill(-group, 'SIGKILL')
  for (let pids = processesOf(id); pids.length > 0; pids = processesOf(id)) {
    for (const pid of pids) kill(pid, isPostgres(pid) && Date.now() < deadline ? 'SIGQUIT' : 'SIGKILL')
    await sleep(50)
  }
}

function processesOf(id) {
  if (process.platform !== 'linux') return []

  return readdirSync('/proc').filter(name => /^\d+$/.test(name) && read(name, 'environ').includes(`${marker}=${id}\0`))
}

// Killed, Postgres would leave its shared memory behind.
function isPostgres(pid) {
  return /^\d+ \(postgres\)/.test(read(pid, 'stat'))
}

function read(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}

function kill(pid, signal) {
  try {
    process.kill(Number(pid), signal)
  } catch {
    // It has ended.
  }
}
