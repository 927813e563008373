import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { check } from 'recheck'
import { root } from './install.js'
import { collectRegexes } from './regexes.js'

const help = `Usage: npm run regexes [-- --fix]

Fails for each regular expression of src and workers that takes more than linear time in its worst
case. Those proven before are listed in bin/checked-regexes.json and are not checked again; --fix
adds newly proven ones, and removes those that no longer exist.
`

const listPath = join(root, 'bin', 'checked-regexes.json')
// Steps are limited instead of time: on a busy machine, linear patterns would pass for slow ones.
const limits = { timeout: 60_000, attackTimeout: null, incubationTimeout: null, seedingTimeout: null }
const together = 2
const args = process.argv.slice(2)
const isFixing = args.includes('--fix')

if (args.includes('--help')) {
  console.log(help)
  process.exit(0)
}

const { regexes, unlisted } = await collectRegexes()
const proven = new Set(JSON.parse(readFileSync(listPath, 'utf8')))
const used = new Map(regexes.map(regex => [keyOf(regex), regex]))
const problems = unlisted.map(built => `${placeOf(built)} builds a regular expression without exporting its alternatives`)
const unchecked = [...used].filter(([key]) => !proven.has(key))
const stale = [...proven].filter(key => !used.has(key))
const linear = []
const { length: count } = unchecked

await Promise.all(Array.from({ length: together }, checkNext))
if (isFixing) writeList()
else {
  problems.push(...linear.map(key => `${placeOf(used.get(key))} ${key} is linear, but not listed: run npm run fix`))
  problems.push(...stale.map(key => `${key} is listed, but no longer used: run npm run fix`))
}

for (const problem of problems) console.error(problem)
console.log(`${used.size} regular expressions, ${count} of them checked anew, ${problems.length} problems`)
process.exit(problems.length > 0 ? 1 : 0)

async function checkNext() {
  for (let next = unchecked.shift(); next; next = unchecked.shift()) {
    const [key, regex] = next
    const { status, complexity, attack, error } = await check(regex.source, regex.flags, limits)

    if (status === 'safe') linear.push(key)
    else problems.push(`${placeOf(regex)} ${key} is ${complexity?.summary ?? `unproven (${error.kind})`}: ${attack?.pattern ?? ''}`)
  }
}

function writeList() {
  const kept = [...proven].filter(key => used.has(key))

  writeFileSync(listPath, `${JSON.stringify([...kept, ...linear].sort(), null, 2)}\n`)
}

function keyOf({ source, flags }) {
  return `/${source}/${flags}`
}

function placeOf({ file, line }) {
  return `${file}:${line}`
}
