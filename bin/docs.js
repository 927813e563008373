// Writes what the documentation repeats of the code; with --check, only says whether it is up to date.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { settingsTables } from '../src/settings/describe-settings.ts'
import { root } from './install.js'

const path = join(root, 'docs', 'configuration.md')
const present = readFileSync(path, 'utf8')
const [start, end] = ['<!-- settings: written by `npm run fix` from src/settings/settings.ts -->\n', '<!-- end of settings -->']
const current = `${present.slice(0, present.indexOf(start) + start.length)}\n${settingsTables()}\n${present.slice(present.indexOf(end))}`

if (!process.argv.includes('--check')) writeFileSync(path, current)
else if (present !== current) {
  console.error('docs/configuration.md does not match src/settings/settings.ts. Run `npm run fix`.')
  process.exit(1)
}
