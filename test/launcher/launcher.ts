import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { type Command, plainly } from '../support/children.ts'
import { eventually } from '../support/eventually.ts'

export const root = join(import.meta.dirname, '..', '..')

/** Starts are slow on a machine that does other things too. */
const patienceMs = 60_000

/** A data directory and a port that nothing else uses; whatever still runs on them goes with the test. */
export async function openPlace(t: Test) {
  // Its folder is 0700, as one below /root would be: the database's own user cannot walk to it.
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-launcher-'))
  const place = { dir: join(folder, 'data'), port: await freePort() }

  t.teardown(async () => {
    for (const { pid } of processesOn(place.dir)) process.kill(pid, 'SIGKILL')
    await eventually(() => processesOn(place.dir).length === 0, 'everything has ended')
    rmSync(folder, { recursive: true, force: true })
  })

  return place
}

export type Place = Awaited<ReturnType<typeof openPlace>>

interface LaunchOptions {
  args?: string[]
  env?: Record<string, string>
  /** Through npm, as people do. */
  npm?: boolean
  /** Whether its lines, and those of the processes it starts, count as covered. */
  isCovered?: boolean
}

/** The compile cache of the run, and the marker by which the runner finds its processes. */
const { PATH, HOME, NODE_COMPILE_CACHE = '', REAPER_RUN = '' } = process.env

/** `npm start` on a place, as in a shell in which nothing but the place is set. */
export class Launch {
  readonly process: ChildProcess
  output = ''
  errors = ''

  constructor({ dir, port }: Place, { args = [], env = {}, npm = false, isCovered = false }: LaunchOptions = {}) {
    const command: Command = npm ? ['npm', ['start', '--', ...args]] : [process.execPath, ['bin/start.js', ...args]]

    this.process = spawn(...(isCovered ? command : plainly(...command)), {
      cwd: root,
      env: { PATH, HOME, NODE_COMPILE_CACHE, REAPER_RUN, DATA_DIR: dir, PORT: String(port), ...env },
      stdio: ['ignore', 'pipe', 'pipe']
    })
    this.process.stdout!.setEncoding('utf8').on('data', text => {
      this.output += text
    })
    this.process.stderr!.setEncoding('utf8').on('data', text => {
      this.errors += text
    })
  }

  get lines() {
    return this.output.trimEnd().split('\n')
  }

  /** Waits for the last line of the start. */
  async ready() {
    await this.says(/^ready .*\n/m)
  }

  async says(pattern: RegExp) {
    return eventually(
      () => {
        const found = pattern.exec(this.output)

        if (!found && this.hasEnded()) throw new Error(`the launcher ended without ${pattern}:\n${this.output}\n${this.errors}`)

        return found
      },
      `${pattern} in\n${this.output}\n${this.errors}`,
      patienceMs
    )
  }

  /** Waits for the end, asking for it when a signal is given. */
  async ended(signal?: NodeJS.Signals) {
    if (signal) this.process.kill(signal)
    await eventually(() => this.hasEnded(), `the launcher ends: ${this.output}`, patienceMs)

    return this.process.exitCode ?? this.process.signalCode
  }

  hasEnded() {
    return this.process.exitCode !== null || this.process.signalCode !== null
  }
}

/** Everything that runs on a data directory, found by what it was given: its environment, or the directory it works in. */
export function processesOn(dir: string) {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter(pid => read(pid, 'environ').includes(`DATA_DIR=${dir}\0`) || isDatabase(pid, dir))
    .map(pid => ({
      pid: Number(pid),
      name: nameOf(read(pid, 'cmdline')),
      parent: Number(/^PPid:\s+(\d+)/m.exec(read(pid, 'status'))?.[1])
    }))
}

/** The processes of one kind; of Postgres only the one that is the parent of the others. */
export function pidsOf(dir: string, wanted: string) {
  const all = processesOn(dir)

  return all
    .filter(({ name }) => name === wanted)
    .filter(({ parent }) => wanted !== 'postgres' || !all.some(({ name, pid }) => name === 'postgres' && pid === parent))
    .map(({ pid }) => pid)
}

function nameOf(cmdline: string) {
  const names = { 'bin/start.js': 'launcher', '/web.js': 'web', '/worker.js': 'worker', postgres: 'postgres' }

  return Object.entries(names).find(([word]) => cmdline.includes(word))?.[1] ?? cmdline
}

function read(pid: string, file: string) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}

function isDatabase(pid: string, dir: string) {
  if (!read(pid, 'cmdline').includes('postgres')) return false

  try {
    return readlinkSync(`/proc/${pid}/cwd`).startsWith(dir)
  } catch {
    // In a container root may not look; then the server's own lock has to do.
    return lockOf(dir) === pid
  }
}

function lockOf(dir: string) {
  try {
    return readFileSync(join(dir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]
  } catch {
    return undefined
  }
}

/** A line that was printed, run exactly as it was printed. */
export function shell(line: string): Promise<string> {
  return new Promise((resolve, reject) =>
    execFile('sh', ['-c', line], { timeout: 20_000 }, (error, stdout) => (error ? reject(error) : resolve(stdout)))
  )
}

/** What the welcome tells, by its labels. */
export function readWelcome(output: string) {
  const field = (label: string) => new RegExp(`^  ${label} +(\\S+)`, 'm').exec(output)?.[1] ?? ''
  const lines = [/^ +(printf .*)$/m, /^ +(curl -H .*)$/m, /^ +(curl .*alerts\/notify\.json')$/m]
  const [send = '', list = '', alert = ''] = lines.map(pattern => pattern.exec(output)?.[1])

  return {
    address: field('Address'),
    admin: field('Admin'),
    password: field('Password'),
    token: field('Token'),
    dsn: /^ +(http:\/\/\w+@\S+)$/m.exec(output)?.[1] ?? '',
    send,
    list,
    alert
  }
}

export function freePort() {
  return new Promise<number>(resolve => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}
