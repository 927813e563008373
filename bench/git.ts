import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { System } from './system.ts'

/**
 * Pushes a pack of 200 MB, then clones it with 20 clients at once, and prints the memory of the web process.
 *
 *     npm run bench git
 */
const megabytes = 200
const clients = 20
const system = new System('postgres')
const files = join(system.dir, 'git-clients')

try {
  await system.start()
  const response = await fetch(`http://127.0.0.1:${system.port}/api/v4/projects/${system.projectId}`, {
    headers: { 'private-token': system.token }
  })
  const { path_with_namespace: path } = (await response.json()) as { path_with_namespace: string }
  const url = `http://oauth2:${system.token}@127.0.0.1:${system.port}/${path}.git`
  const before = system.memory('web')

  mkdirSync(join(files, 'source'), { recursive: true })
  git('init', '--quiet', '--initial-branch=main')
  for (let n = 0; n < megabytes / 10; n++) writeFileSync(join(files, 'source', `${n}`), randomBytes(10_000_000))
  git('add', '.')
  git('-c', 'user.name=A', '-c', 'user.email=a@example.com', 'commit', '--quiet', '-m', 'Large')
  const pushed = await timed(() => untilEnded(spawn('git', ['push', '--quiet', url, 'main'], { cwd: join(files, 'source') })))
  const afterPush = system.memory('web')
  const cloned = await timed(() => Promise.all(Array.from({ length: clients }, (_, n) => clone(url, n))))
  const afterClones = system.memory('web')

  console.table({
    before: before,
    [`push of ${megabytes} MB`]: { ...afterPush, seconds: pushed },
    [`${clients} clones`]: { ...afterClones, seconds: cloned }
  })
} finally {
  await system.stop()
  rmSync(files, { recursive: true, force: true })
}

function git(...args: string[]) {
  const { status, stderr } = spawnSync('git', args, { cwd: join(files, 'source') })

  if (status !== 0) throw new Error(String(stderr))
}

async function clone(url: string, n: number) {
  const directory = join(files, String(n))

  await untilEnded(spawn('git', ['clone', '--quiet', '--bare', url, directory]))
  rmSync(directory, { recursive: true })
}

async function untilEnded(child: ChildProcess) {
  const code = await new Promise(resolve => child.once('exit', resolve))

  if (code !== 0) throw new Error(`git ended with ${code}`)
}

async function timed(run: () => Promise<unknown>) {
  const startedAt = performance.now()

  await run()

  return Math.round((performance.now() - startedAt) / 100) / 10
}
