import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { environment, install, node, root } from './install.js'
import { Lock } from './lock.js'
import { PostgresKeeper } from './postgres-keeper.js'
import { readFormation, readProcfile } from './procfile.js'
import { Child } from './supervisor.js'

const help = `Usage: npm start [-- type=count …]

Runs Tocsin on this machine: one process of each type in the Procfile unless told otherwise
(npm start -- worker=3), with an embedded Postgres in DATA_DIR when DATABASE_URL is not set.
Ctrl-C stops everything in order. The settings are environment variables:
`

const dataDir = inRoot(process.env.DATA_DIR || '.data')
const lock = new Lock(dataDir)
const procfile = readProcfile(join(root, 'Procfile'))

/** What runs, in the order in which it was started. */
const children = []
let postgres
const stopping = new AbortController()
let interruptedAt = 0

try {
  await main(process.argv.slice(2))
} catch (error) {
  // What is being stopped on purpose may well complain.
  if (!stopping.signal.aborted) await stop(1, error.message)
}

async function main(args) {
  if (args.includes('--help') || args.includes('-h')) return printHelp()

  const formation = readFormation(args, procfile)

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => interrupted())
  if (process.env.npm_lifecycle_event) endWithParent()

  install()
  checkSettings()
  lock.take()
  // What was compiled once need not be compiled at every start.
  const env = { DATA_DIR: dataDir, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE || join(dataDir, 'compiled') }
  if (!process.env.DATABASE_URL) env.DATABASE_URL = await startPostgres()

  const welcome = await startChildren(formation, env)

  if (stopping.signal.aborted) return
  if (welcome) console.log(`\n${welcome.text}`)
  console.log(`ready ${welcome?.url ?? ''}`.trim())
}

/** Before the dependencies are installed, nothing can read the settings. */
function printHelp() {
  const code = "import { settingsHelp } from './src/describe-settings.ts'; console.log(settingsHelp())"

  console.log(help)
  if (existsSync(node)) spawnSync(node, ['--input-type=module', '--eval', code], { cwd: root, stdio: 'inherit' })
  else console.log('  docs/configuration.md lists them.')
}

/** Reports invalid settings once, before anything runs. */
function checkSettings() {
  const code = "import { readConfigOrExit } from './src/config.ts'; readConfigOrExit()"
  const { status } = spawnSync(node, ['--input-type=module', '--eval', code], { cwd: root, env: environment(), stdio: 'inherit' })

  if (status !== 0) process.exit(status ?? 1)
}

/** The first process of a type goes first (it migrates); the welcome is the web process's. */
async function startChildren(formation, env) {
  let welcome

  for (const [type, count] of formation) {
    for (let n = 1; n <= count; n++) {
      if (stopping.signal.aborted) return
      // A further web process must not fight over the port: each takes the next one.
      const port = Number(process.env.PORT || 3000)
      const own = type === 'web' && port > 0 ? { PORT: String(port + n - 1) } : {}
      const child = new Child(`${type}.${n}`, procfile.get(type), {
        env: { ...env, ...own, PROCESS_NAME: `${type}.${n}` },
        onWelcome: told => {
          welcome ??= told
        }
      })

      children.push(child)
      // The others follow it: whoever makes the first admin is alone in knowing the password.
      if (type === 'web' && n === 1 && count > 1) await child.ready
    }
  }
  await Promise.all(children.map(child => child.ready))

  return welcome
}

async function startPostgres() {
  postgres = new PostgresKeeper({ dataDir, signal: stopping.signal })
  await postgres.start()

  return postgres.url
}

function interrupted() {
  if (!stopping.signal.aborted) {
    interruptedAt = Date.now()
    return stop(0)
  }
  // One Ctrl-C may come twice: from the terminal, and passed on by npm.
  if (Date.now() - interruptedAt < 1000) return

  // The second Ctrl-C: no more patience, but the database still closes its files.
  for (const child of children) child.kill()
}

/** The shell between npm and this process may die of npm's signal without passing it on. */
function endWithParent() {
  const parent = process.ppid

  setInterval(() => process.ppid !== parent && stop(0), 250).unref()
}

/** Web first, so that nothing new comes in; then the workers, which finish; then the database. */
async function stop(code, reason) {
  if (stopping.signal.aborted) return
  stopping.abort()

  if (reason) console.error(`\n${reason}`)
  for (const type of procfile.keys()) {
    await Promise.all(children.filter(({ name }) => name.startsWith(`${type}.`)).map(child => child.stop()))
  }
  await postgres?.stop()
  lock.release()
  if (!reason) console.log('stopped')
  process.exit(code)
}

function inRoot(path) {
  return isAbsolute(path) ? path : join(root, path)
}
