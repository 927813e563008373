import { execFile, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { System } from './system.ts'

/**
 * Moves repositories to and fro between two storages while clients push to them without a pause, and kills the worker again and
 * again. Afterwards every acknowledged commit has to be there, every repository whole, and no directory left over.
 *
 *     MOVES=200 npm run bench storage-moves
 */
const moves = Number(process.env.MOVES ?? 200)
const repositories = 8
const files = mkdtempSync(join(tmpdir(), 'tocsin-moves-'))
const storages = ['near', 'far'].map(name => join(files, name))

process.env.REPOSITORY_STORAGES = `near:${storages[0]},far:${storages[1]}`
process.env.STORAGE_MOVES_CONCURRENCY = '4'

const run = promisify(execFile)
const system = new System(process.env.MOVES_QUEUE === 'redis' ? 'redis' : 'postgres')
const isOver = new AbortController()
const acknowledged = new Map<string, string>()
let [pushes, refused, kills] = [0, 0, 0]

try {
  await system.start()
  const projects = await Promise.all(Array.from({ length: repositories }, (_, n) => makeProject(n)))
  const pushing = Promise.all(projects.map(pushOn))
  const killing = killOn()
  const states = await moveOn(projects.map(({ id }) => id))

  isOver.abort()
  await Promise.all([pushing, killing])
  const ends = Object.entries(Object.groupBy(states, state => state)).map(([state, all = []]) => [state, all.length])

  console.log({ moves: states.length, ...Object.fromEntries(ends), pushes, refused, kills })
  for (const project of projects) await check(project)
  const found = storages.flatMap(storage => directoriesIn(storage))

  if (found.length !== repositories) throw new Error(`${found.length} directories for ${repositories} repositories: ${found.join(' ')}`)
  console.log(`Nothing acknowledged is missing, ${repositories} repositories are whole, and no directory is left over.`)
} finally {
  await system.stop()
  rmSync(files, { recursive: true, force: true })
}

interface Project {
  id: number
  directory: string
}

async function call(method: string, path: string, body?: object) {
  const response = await fetch(`http://127.0.0.1:${system.port}/api/v4${path}`, {
    method,
    headers: { 'private-token': system.token, 'content-type': 'application/json' },
    body: body && JSON.stringify(body)
  })

  return (await response.json()) as { id: number; path_with_namespace: string }
}

async function makeProject(n: number): Promise<Project> {
  const { id, path_with_namespace: path } = await call('POST', '/projects', { name: `Repository ${n}` })
  const directory = join(files, `client-${n}`)

  mkdirSync(directory)
  git(directory, 'init', '--quiet', '--initial-branch=main')
  git(directory, 'config', 'user.name', 'Ann')
  git(directory, 'config', 'user.email', 'ann@example.com')
  git(directory, 'remote', 'add', 'origin', `http://oauth2:${system.token}@127.0.0.1:${system.port}/${path}.git`)

  return { id, directory }
}

/** Commits and pushes; a push that is refused is tried again with the next commit. */
async function pushOn({ directory }: Project) {
  for (let n = 0; !isOver.signal.aborted; n++) {
    writeFileSync(join(directory, 'file'), `${n}\n`)
    git(directory, 'add', 'file')
    git(directory, 'commit', '--quiet', '-m', `Commit ${n}`)
    const commit = git(directory, 'rev-parse', 'HEAD')

    try {
      await run('git', ['push', '--quiet', 'origin', 'main'], { cwd: directory })
      acknowledged.set(directory, commit)
      pushes++
    } catch {
      refused++
      await sleep(200)
    }
  }
}

async function killOn() {
  while (!isOver.signal.aborted) {
    await sleep(500 + Math.random() * 5000)
    await system.kill('worker')
    kills++
    await system.startChild('worker')
  }
}

/** Returns how each move ended. */
async function moveOn(ids: number[]) {
  for (;;) {
    const { rows } = await system.db.query('SELECT state FROM repository_storage_moves')
    const open = rows.filter(({ state }) => ['scheduled', 'started', 'replicated'].includes(state))

    if (rows.length >= moves && open.length === 0) return rows.map(({ state }) => state as string)
    if (rows.length < moves) for (const id of ids) await call('POST', `/projects/${id}/repository_storage_moves`)
    await sleep(200)
  }
}

async function check({ id, directory }: Project) {
  const { rows } = await system.db.query('SELECT storage, path, is_read_only FROM repositories WHERE project_id = $1', [id])
  const server = join(files, rows[0].storage, 'tocsin', rows[0].path)

  git(server, 'fsck', '--no-progress', '--no-dangling')
  git(server, 'merge-base', '--is-ancestor', acknowledged.get(directory)!, 'main')
  if (rows[0].is_read_only) throw new Error(`The repository of project ${id} is still read-only.`)
}

function directoriesIn(storage: string) {
  return readdirSync(storage, { recursive: true }).filter(name => /\.git(\.\S+)?$/.test(String(name)))
}

function git(directory: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: directory })

  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`)

  return String(stdout).trim()
}
