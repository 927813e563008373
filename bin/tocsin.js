#!/usr/bin/env node
import { join } from 'node:path'
import { bundle } from './bundle.js'
import { environment, install, node, root } from './install.js'
import { acquire, dataDir, launchLock } from './launch-lock.js'
import { EmbeddedPostgres } from './postgres/embedded-postgres.js'
import { programIn, programs } from './programs.js'
import { runToEnd } from './reaper.js'

const help = `Usage: node bin/tocsin.js web
       node bin/tocsin.js worker [queue …]
       node bin/tocsin.js backup FILE
       node bin/tocsin.js restore FILE

web      runs a web process.
worker   runs a process that works on the named queues, or on all.
         Both run on any machine, with the same DATABASE_URL, SECRET_KEY and REDIS_URL. --help lists the settings and the queues.

backup   writes the database, the queues in it, uploaded files and secret.key to FILE (.tar.gz).
         Tocsin may be running.
restore  loads FILE into an empty installation of the same or a newer release, while Tocsin is stopped.

Backup and restore use the settings of \`npm start\`: DATA_DIR, DATABASE_URL, NAMESPACE, REDIS_URL, SECRET_KEY.
`

const [command, file] = process.argv.slice(2)
const lock = launchLock()
let postgres

if (programs.includes(command)) await run(command, process.argv.slice(3))
if (!['backup', 'restore'].includes(command) || !file) {
  console.log(help)
  process.exit(/^(--help|-h)$/.test(command) ? 0 : 1)
}

try {
  install()
  const holder = acquire(lock)

  if (holder && command === 'restore') throw new Error(`Tocsin is running on ${dataDir} (process ${holder}). Stop it before a restore.`)
  if (!holder && !process.env.DATABASE_URL) await startPostgres()
  process.exitCode = await runToEnd(node, [join(root, 'src', 'backup.ts'), command, file], {
    env: environment({ DATA_DIR: dataDir })
  })
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
} finally {
  await postgres?.stop()
  lock.release()
}

async function startPostgres() {
  postgres = new EmbeddedPostgres({ dataDir })
  await postgres.prepare()
  await postgres.start()
}

/** This process becomes the program, where the host's Node can do that. */
async function run(name, args) {
  install()
  const program = programIn(await bundle(), name, args)

  process.execve?.(program.file, [program.file, ...program.args], program.env)
  process.exit(await runToEnd(program.file, program.args, { env: program.env }))
}
