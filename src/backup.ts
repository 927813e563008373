import { resolve } from 'node:path'
import { readConfigOrExit } from './config.ts'
import { backUp } from './platform/backup/back-up.ts'
import { restore } from './platform/backup/restore.ts'
import { exitWith } from './platform/process/process.ts'

const [command, file] = process.argv.slice(2)
const run = { backup: backUp, restore }[String(command)]

if (!run || !file) {
  process.stderr.write('Usage: node src/backup.ts backup|restore FILE\n')
  process.exit(1)
}

const config = readConfigOrExit()

try {
  await run(config, resolve(file), line => process.stdout.write(`${line}\n`))
  process.stdout.write(`${command === 'backup' ? 'Backup written to' : 'Restored from'} ${file}\n`)
} catch (error) {
  exitWith(error, config, `The ${command} failed`)
}
