import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { install, root } from './install.js'
import { prefixed } from './output.js'
import { EmbeddedPostgres } from './postgres.js'
import { readFormation, readProcfile } from './procfile.js'
import { Child } from './supervisor.js'

const help = `Usage: npm start [-- type=count …]

Runs the whole of Tocsin on this machine: what the Procfile names, one process of each type
unless told otherwise (npm start -- worker=3), with an embedded Postgres in DATA_DIR when
DATABASE_URL is not set. Ctrl-C stops everything in order.

The settings are environment variables; README.md lists them all. The most used:
  PORT           the port of the web process (3000)
  DATA_DIR       where the embedded database lives (.data)
  DATABASE_URL   a Postgres of yours instead of the embedded one
  REDIS_URL      a Redis or Valkey for the queues
`

const dataDir = inRoot(process.env.DATA_DIR || '.data')
const lock = join(dataDir, 'tocsin.pid')
const procfile = readProcfile(join(root, 'Procfile'))

/** What runs, in the order in which it was started. */
const children = []
let postgres
let isStopping = false

try {
  await main(process.argv.slice(2))
} catch (error) {
  // What is being stopped on purpose may well complain.
  if (!isStopping) await stop(1, error.message)
}

async function main(args) {
  if (args.includes('--help') || args.includes('-h')) return console.log(help)

  const formation = readFormation(args, procfile)

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => interrupted())

  install()
  takeLock()
  // What was compiled once need not be compiled at every start.
  const env = { DATA_DIR: dataDir, NODE_COMPILE_CACHE: join(dataDir, 'compiled') }
  if (!process.env.DATABASE_URL) env.DATABASE_URL = await startPostgres()

  const welcome = await startChildren(formation, env)

  if (isStopping) return
  if (welcome) console.log(`\n${welcome.text}`)
  console.log(`ready ${welcome?.url ?? ''}`.trim())
}

/** The first process of a type goes first (it migrates); the welcome is the web process's. */
async function startChildren(formation, env) {
  let welcome

  for (const [type, count] of formation) {
    for (let n = 1; n <= count; n++) {
      if (isStopping) return
      // A further web process must not fight over the port: each takes the next one.
      const own = type === 'web' && n > 1 ? { PORT: String(Number(process.env.PORT || 3000) + n - 1) } : {}
      const child = new Child(`${type}.${n}`, procfile.get(type), {
        env: { ...env, ...own, PROCESS_NAME: `${type}.${n}` },
        onWelcome: told => {
          welcome ??= told
        }
      })

      children.push(child)
    }
  }
  await Promise.all(children.map(child => child.ready))

  return welcome
}

async function startPostgres() {
  const write = prefixed('postgres')

  mkdirSync(dataDir, { recursive: true })
  postgres = new EmbeddedPostgres({
    dataDir,
    write: chunk => write(String(chunk).replace(/^(LOG: |FATAL: +the database system is starting up).*\n/gm, ''))
  })
  await postgres.prepare()
  await keepPostgres(write)

  return postgres.url
}

async function keepPostgres(write, pause = 500) {
  const server = await postgres.start()
  const startedAt = Date.now()

  server.once('exit', async (code, signal) => {
    if (isStopping) return
    const wait = Date.now() - startedAt > 60_000 ? 500 : pause

    write(`ended (${signal ?? `exit code ${code}`}); starting it again in ${wait / 1000} s\n`)
    await sleep(wait)
    if (isStopping) return
    await postgres
      .prepare()
      .then(() => keepPostgres(write, Math.min(wait * 2, 30_000)))
      .catch(error => stop(1, error.message))
  })
}

function interrupted() {
  if (!isStopping) return stop(0)

  // The second Ctrl-C: no more patience, but the database still closes its files.
  for (const child of children) child.kill()
}

/** Web first, so that nothing new comes in; then the workers, which finish; then the database. */
async function stop(code, reason) {
  if (isStopping) return
  isStopping = true

  if (reason) console.error(`\n${reason}`)
  for (const type of procfile.keys()) {
    await Promise.all(children.filter(({ name }) => name.startsWith(`${type}.`)).map(child => child.stop()))
  }
  await postgres?.stop()
  releaseLock()
  if (!reason) console.log('stopped')
  process.exit(code)
}

function takeLock() {
  mkdirSync(dataDir, { recursive: true })

  const holder = readLock()

  if (holder && isLauncher(holder)) {
    throw new Error(`Tocsin already runs on ${dataDir} (process ${holder}). Stop that one, or give this one its own DATA_DIR and PORT.`)
  }
  writeFileSync(lock, `${process.pid}\n`)
}

function releaseLock() {
  if (readLock() === process.pid) rmSync(lock, { force: true })
}

function readLock() {
  try {
    return Number(readFileSync(lock, 'utf8'))
  } catch {
    return undefined
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

function inRoot(path) {
  return isAbsolute(path) ? path : join(root, path)
}
