// Writes what the documentation repeats of the code; with --check, only says whether it is up to date.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { settingsTables } from '../src/settings/describe-settings.ts'
import { describeSpecification } from '../test/specification/describe-specification.ts'
import { describeCommands } from './commands.js'
import { root } from './install.js'

const isCheck = process.argv.includes('--check')

write('configuration.md', insertSettings, 'src/settings/settings.ts')
write('commands.md', describeCommands(), 'bin/commands.js')
write('specification.md', await describeSpecification(), 'test/specification')

function write(name, text, source) {
  const path = join(root, 'docs', name)
  const present = existsSync(path) ? readFileSync(path, 'utf8') : ''
  const current = typeof text === 'function' ? text(present) : text

  if (present === current) return
  if (!isCheck) return writeFileSync(path, current)
  console.error(`docs/${name} does not match ${source}. Run \`npm run fix\`.`)
  process.exitCode = 1
}

function insertSettings(present) {
  const [start, end] = ['<!-- settings: written by `npm run fix` from src/settings/settings.ts -->\n', '<!-- end of settings -->']

  return `${present.slice(0, present.indexOf(start) + start.length)}\n${settingsTables()}\n${present.slice(present.indexOf(end))}`
}
