import { spawnSync } from 'node:child_process'
import { createHash, randomInt } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { install, root } from './install.js'

const help = `Usage: npm run mutate -- src/alerts [--sample 20] [--seed N] [--tests path]

Tests the tests: changes the code of a file or folder in one place at a time, and runs the tests of
the folder in test/ that mirrors it, or those of --tests. A mutant that no test fails on has survived: a test is missing,
or the code is not needed. Runs a random sample of the mutants, the same for the same seed, in a
temporary copy of the checkout. The exit code is 1 if a mutant survived.
`

/** Mutations of SQL, which the instrumenter does not know. */
const sqlMutations = [
  [/ = /g, ' <> '],
  [/ <> /g, ' = '],
  [/\bis null\b/gi, 'IS NOT NULL'],
  [/\bis not null\b/gi, 'IS NULL'],
  [/\bwhere\b\s+[^\n`]+?(?=\s+(and|order|group|limit)\b|\n|`)/gi, 'WHERE true'],
  [/\sand\b\s+[^\n`]+?(?=\s+(and|or|order|group|limit)\b|\n|`)/gi, '']
]

const text = { type: 'string' }
const { values, positionals } = parseArgs({
  options: { sample: { ...text, default: '20' }, seed: text, tests: text, help: { type: 'boolean' } },
  allowPositionals: true
})
const [target] = positionals

if (values.help || !target) {
  console.log(help)
  process.exit(values.help ? 0 : 1)
}

install({ tools: true })
const { Instrumenter } = await import('@stryker-mutator/instrumenter')
const seed = values.seed ?? String(randomInt(1_000_000))
const tests = values.tests ?? mirrorOf(target)
const scratch = mkdtempSync(join(tmpdir(), 'tocsin-mutate-'))

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130))
process.once('exit', () => rmSync(scratch, { recursive: true, force: true }))
process.exit(await main())

async function main() {
  const mutants = sample((await Promise.all(filesIn(target).map(mutantsOf))).flat(), Number(values.sample))

  copyCheckout()
  console.log(`Testing ${mutants.length} mutants with ${tests} (seed ${seed}) …`)
  const timeout = measureTimeout()
  const survivors = mutants.filter(mutant => survives(mutant, timeout))

  console.log(`${mutants.length - survivors.length} killed, ${survivors.length} survived`)

  return survivors.length > 0 ? 1 : 0
}

function filesIn(path) {
  const names = statSync(join(root, path)).isDirectory() ? readdirSync(join(root, path), { recursive: true }) : ['']

  return names.map(name => join(path, name)).filter(name => name.endsWith('.ts'))
}

async function mutantsOf(file) {
  const log = { debug() {}, info() {}, isDebugEnabled: () => false }
  const content = readFileSync(join(root, file), 'utf8')
  const lines = content.split('\n')
  const offset = ({ line, column }) => lines.slice(0, line).reduce((sum, { length }) => sum + length + 1, column)
  const options = { plugins: null, excludedMutations: [], ignorers: [], noHeader: true }
  const { mutants } = await new Instrumenter(log).instrument([{ name: file, mutate: true, content }], options)
  const found = mutants.map(({ location, replacement }) => ({ start: offset(location.start), end: offset(location.end), replacement }))

  return [...found, ...sqlMutantsOf(content)].map(mutant => ({ file, content, ...mutant }))
}

function sqlMutantsOf(content) {
  const templates = [...content.matchAll(/`[^`]*\b(?:select|insert|update|delete|where)\b[^`]*`/gi)]

  return templates.flatMap(({ 0: sql, index }) =>
    sqlMutations.flatMap(([pattern, replacement]) =>
      [...sql.matchAll(pattern)].map(({ 0: code, index: at }) => ({ start: index + at, end: index + at + code.length, replacement }))
    )
  )
}

function sample(mutants, count) {
  const rank = mutant =>
    createHash('sha256').update(`${seed} ${mutant.file} ${mutant.start} ${mutant.end} ${mutant.replacement}`).digest('hex')
  const byRank = new Map(mutants.map(mutant => [rank(mutant), mutant]))

  const ranks = [...byRank.keys()].sort().slice(0, count)

  return ranks.map(key => byRank.get(key))
}

/** The closest folder in test/ that mirrors the path. */
function mirrorOf(path) {
  const folder = path.replace(/^(src\/)?/, 'test/').replace(/\.ts$/, '')

  return existsSync(join(root, folder)) ? folder : mirrorOf(dirname(path))
}

/** Hard links: the copy is quick to make, and a mutated file replaces its link. */
function copyCheckout() {
  const names = readdirSync(root).filter(name => !['.git', '.tap', '.install', '.data'].includes(name))
  const { status } = spawnSync('cp', ['-al', ...names, scratch], { cwd: root, stdio: 'inherit' })

  if (status !== 0) throw new Error('The checkout could not be copied: the temporary folder must be on the same file system.')
}

/** Runs the tests on the unchanged code; returns how long a mutant's tests may take, in ms. */
function measureTimeout() {
  const startedAt = Date.now()
  const { status, stdout, stderr } = runTests()

  if (status === 0) return 3 * (Date.now() - startedAt) + 10_000
  throw new Error(`The tests fail without a mutation:\n${stdout}\n${stderr}`)
}

function survives({ file, content, start, end, replacement }, timeout) {
  const path = join(scratch, file)
  const [before, code, after] = [content.slice(0, start), content.slice(start, end), content.slice(end)]

  rmSync(path)
  writeFileSync(path, before + replacement + after)
  const isSurvivor = runTests(timeout).status === 0

  writeFileSync(path, content)
  const line = before.split('\n').length

  console.log(`${isSurvivor ? 'SURVIVED' : 'killed  '}  ${file}:${line}  ${oneLine(code)}  →  ${oneLine(replacement) || '(nothing)'}`)

  return isSurvivor
}

function runTests(timeout) {
  return spawnSync(process.execPath, ['bin/test.js', tests], { cwd: scratch, encoding: 'utf8', timeout })
}

function oneLine(code) {
  const line = code.replace(/\s+/g, ' ').trim()

  return line.length > 60 ? `${line.slice(0, 60)}…` : line
}
