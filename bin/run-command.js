import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { bundle } from './bundle.js'
import { install } from './install.js'
import { acquire, dataDir, launchLock } from './launch-lock.js'
import { EmbeddedPostgres } from './postgres/embedded-postgres.js'
import { programIn } from './programs.js'
import { runToEnd } from './reaper.js'

const lock = launchLock()
const isEmbedded = !process.env.DATABASE_URL
let postgres
/** Why the doctor could not start the database. */
let databaseProblem

/** Runs a command of src/cli to its end and returns its exit code. A database that does not run is started for it. */
export async function runCommand({ name, args, options }) {
  try {
    install()
    const launcher = name === 'status' || name === 'doctor' ? await peek(name) : await open(name)
    const hasDatabase = !isEmbedded || launcher !== undefined || postgres !== undefined
    const input = JSON.stringify({ args, options, launcher, hasDatabase, databaseProblem })
    const { file, args: cliArgs, env } = programIn(await bundle(), 'cli', [name, input])

    return await runToEnd(file, cliArgs, { env })
  } catch (error) {
    if (options.json) console.log(JSON.stringify({ error: error.message }))
    console.error(error.message)

    return 1
  } finally {
    await postgres?.stop()
    lock.release()
  }
}

/** Looks without changing anything, except that the doctor starts a stopped database. */
async function peek(name) {
  const holder = lock.holder()

  if (name === 'doctor' && !holder && isEmbedded && isInstalled()) {
    acquire(lock)
    // The doctor says what it finds.
    await startPostgres().catch(error => {
      databaseProblem = error.message
    })
  }

  return holder
}

/** Returns the launcher, if it runs. Otherwise it cannot start meanwhile. */
async function open(name) {
  if (isEmbedded && name !== 'restore' && !isInstalled()) {
    throw new Error(`There is no installation in ${dataDir}. Start it once with \`npx tocsin\`, or set DATA_DIR to its folder.`)
  }
  const holder = acquire(lock)

  if (holder && name === 'restore') throw new Error(`Tocsin is running on ${dataDir} (process ${holder}). Stop it before a restore.`)
  if (!holder && isEmbedded) await startPostgres()

  return holder
}

function isInstalled() {
  return existsSync(join(dataDir, 'postgres', 'PG_VERSION'))
}

async function startPostgres() {
  console.error('Starting the database …')
  postgres = new EmbeddedPostgres({ dataDir })
  await postgres.prepare()
  await postgres.start()
}
