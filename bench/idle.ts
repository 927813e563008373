import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { root } from '../bin/install.js'
import { freePort } from './system.ts'

export interface Idle {
  /** Memory of all processes in MiB; shared memory counts once. */
  total: number
  processes: Record<string, number>
  /** From the command to `ready` in ms, with existing data. */
  start: number
}

/** Measures the memory of an idle `npm start`, including npm and the launcher, and the duration of a second start. */
export async function measureIdle(): Promise<Idle> {
  const dir = mkdtempSync(join(tmpdir(), 'tocsin-idle-'))
  const port = String(await freePort())

  try {
    await (await start(dir, port)).stop()
    const startedAt = performance.now()
    const running = await start(dir, port)
    const took = Math.round(performance.now() - startedAt)

    // Idle connections are closed after a while.
    await sleep(20_000)
    const processes = memoryOf(running.pid)

    await running.stop()

    return { total: sum(Object.values(processes)), processes, start: took }
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

async function start(dir: string, port: string) {
  const { DATABASE_URL, REDIS_URL, ...env } = process.env
  const child = spawn('npm', ['start'], { cwd: root, env: { ...env, DATA_DIR: dir, PORT: port }, stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = new Promise(resolve => child.once('exit', resolve))

  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', chunk => /^ready /m.test(String(chunk)) && resolve())
    child.once('exit', code => reject(new Error(`npm start ended with ${code}`)))
  })

  return {
    pid: child.pid!,
    stop: async () => {
      child.kill('SIGTERM')
      await exited
      // npm exits before the launcher.
      while (existsSync(join(dir, 'tocsin.pid'))) await sleep(50)
    }
  }
}

/** Memory of a process and its descendants, by name. */
function memoryOf(top: number) {
  const parents = new Map(
    readdirSync('/proc')
      .filter(name => /^\d+$/.test(name))
      .map(pid => [Number(pid), parentOf(pid)])
  )
  const isBelow = (pid: number | undefined): boolean => pid === top || (pid !== undefined && pid > 1 && isBelow(parents.get(pid)))
  const found: Record<string, number> = {}

  for (const pid of parents.keys()) {
    if (!isBelow(pid)) continue
    const name = nameOf(pid)
    found[name] = (found[name] ?? 0) + proportional(pid)
  }

  return Object.fromEntries(Object.entries(found).map(([name, kib]) => [name, Math.round(kib / 1024)]))
}

function parentOf(pid: string) {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')[1])
  } catch {
    return undefined
  }
}

function nameOf(pid: number) {
  const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8')

  return ['web.js', 'worker.js', 'bin/start.js', 'postgres', 'npm'].find(word => command.includes(word)) ?? 'sh'
}

function proportional(pid: number) {
  return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0)
}

function sum(numbers: number[]) {
  return numbers.reduce((a, b) => a + b, 0)
}
