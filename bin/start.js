import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { bundle } from './bundle.js'
import { Child } from './child.js'
import { environment, home, install, isPackage, node, root } from './install.js'
import { acquire, dataDir, launchLock } from './launch-lock.js'
import { say, show } from './output.js'
import { planConnections } from './postgres/connections.js'
import { PostgresSupervisor } from './postgres/supervisor.js'
import { readFormation, readProcfile } from './procfile.js'
import { commandIn, programIn, settingsCommand } from './programs.js'

const help = `Usage: npm start [-- type=count …]
       npx tocsin [type=count …]

Runs Tocsin on this machine: one process of each type in the Procfile by default
(npm start -- worker=3), with an embedded Postgres in DATA_DIR when DATABASE_URL is not set.
Ctrl-C stops everything in order. The settings are environment variables:
`

const lock = launchLock()
const procfile = readProcfile(join(root, 'Procfile'))

/** In the order of their start. */
const children = []
let postgres
/** The message of the web process, until it is printed. */
let welcome
const stopping = new AbortController()
let interruptedAt = 0

try {
  await main(process.argv.slice(2))
} catch (error) {
  // Processes fail to start when they are stopped during the start.
  if (!stopping.signal.aborted) await stop(1, error.message)
}

async function main(args) {
  if (args.includes('--help') || args.includes('-h')) return printHelp()

  const isDemo = args[0] === '--demo'
  const formation = readFormation(isDemo ? [] : args, procfile)

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => interrupted())
  if (process.env.npm_lifecycle_event) stopWithParent()

  install()
  const [folder, connections] = await Promise.all([bundle(), checkSettings()])
  const processes = [...formation.values()].reduce((sum, count) => sum + count, 0)
  const settings = process.env.DATABASE_URL ? undefined : { max_connections: planConnections(processes, connections) }

  acquireLock()
  if (isPackage && !isDemo) say(`data in ${dataDir}`)
  if (settings) await startPostgres(settings)
  await startChildren(formation, folder)

  if (stopping.signal.aborted) return
  const url = welcome?.url ?? ''

  if (isDemo) await startDemo(folder, url)
  printWelcome()
  say(`ready ${url}`.trim())
}

/** Once: only the welcome of the first start has the first admin's password. */
function printWelcome() {
  if (welcome) show(welcome.text)
  welcome = undefined
}

/** Before the dependencies are installed, nothing can read the settings. */
function printHelp() {
  console.log(help)
  if (isPackage) install()
  const { file, args } = settingsCommand('settings')

  if (existsSync(node)) spawnSync(file, args, { stdio: 'inherit' })
  else console.log('  docs/configuration.md lists them.')
}

function acquireLock() {
  const holder = acquire(lock)

  if (holder) throw new Error(`Tocsin is already running on ${dataDir} (process ${holder}). Stop it, or set another DATA_DIR and PORT.`)
}

/** Reports invalid settings once, before any process starts. Returns how many database connections a process may open. */
async function checkSettings() {
  const { file, args } = settingsCommand('connections')
  const check = spawn(file, args, {
    cwd: home,
    env: environment(),
    stdio: ['ignore', 'pipe', 'inherit']
  })
  const [[status], output] = await Promise.all([once(check, 'exit'), text(check.stdout)])

  if (status !== 0) process.exit(status ?? 1)

  return Number(output)
}

/** Starts the processes and waits until they are ready. */
async function startChildren(formation, folder) {
  for (const [type, count] of formation) {
    for (let n = 1; n <= count; n++) {
      if (stopping.signal.aborted) return
      // Every further web process listens on the next port.
      const port = Number(process.env.PORT || 3000)
      const portSetting = type === 'web' && port > 0 ? { PORT: String(port + n - 1) } : {}
      const name = `${type}.${n}`
      const command = commandIn(folder, procfile.get(type), { ...portSetting, PROCESS_NAME: name })
      const child = new Child(name, command, {
        onWelcome: message => {
          welcome ??= message
        }
      })

      children.push(child)
      // The first web process creates the first admin: only its welcome message has the password.
      if (type === 'web' && n === 1 && count > 1) await child.ready
    }
  }
  await Promise.all(children.map(child => child.ready))
}

/** Fills the shop, at the first start, and then sends events to it. */
async function startDemo(folder, url) {
  const child = new Child('demo.1', programIn(folder, 'demo', [url]))

  children.push(child)
  await child.ready
  const { ROOT_PASSWORD: password } = process.env

  welcome.text = `\n  Shop       ${url}/acme\n  User       root\n  Password   ${password}\n  Data       ${dataDir}\n`
}

async function startPostgres(settings) {
  postgres = new PostgresSupervisor({ dataDir, settings, signal: stopping.signal })
  await postgres.start()
}

function interrupted() {
  if (!stopping.signal.aborted) {
    interruptedAt = Date.now()
    return stop(0)
  }
  // One Ctrl-C may arrive twice: from the terminal and from npm.
  if (Date.now() - interruptedAt < 1000) return

  // Second Ctrl-C: kill the processes, but let the database shut down cleanly.
  for (const child of children) child.kill()
}

/** Stops when the parent ends: the shell between npm and this process may not forward npm's signal. */
function stopWithParent() {
  const parent = process.ppid

  setInterval(() => process.ppid !== parent && stop(0), 250).unref()
}

/** Stops web first, so that no new work arrives; then the workers, which finish their jobs; then the database. */
async function stop(code, reason) {
  if (stopping.signal.aborted) return
  stopping.abort()

  if (reason) console.error(`\n${reason}`)
  for (const type of ['demo', ...procfile.keys()]) {
    await Promise.all(children.filter(({ name }) => name.startsWith(`${type}.`)).map(child => child.stop()))
  }
  // The web process may have created the first admin although another process did not start.
  printWelcome()
  await postgres?.stop()
  lock.release()
  if (!reason) say('stopped')
  process.exit(code)
}
