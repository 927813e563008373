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

const { values, positionals } = parseArgs({
  options: { sample: { type: 'string', default: '20' }, seed: { type: 'string' }, tests: { type: 'string' }, help: { type: 'boolean' } },
  allowPositionals: true
})
const [target] = positionals

if (values.help || !target) {
  console.log(help)
  process.exit(values.help ? 0 : 1)
}

install({ tools: true })
const seed = values.seed ?? String(randomInt(1_000_000))
const scratch = mkdtempSync(join(tmpdir(), 'tocsin-mutate-'))

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => finish(130))
process.once('exit', () => rmSync(scratch, { recursive: true, force: true }))
finish(await main())

function finish(code) {
  process.exit(code)
}

async function main() {
  const mutants = sample((await Promise.all(filesOf(target).map(mutantsOf))).flat(), Number(values.sample))
  const tests = values.tests ?? mirrorOf(target)

  copyCheckout()
  console.log(`Testing ${mutants.length} mutants with ${tests} (seed ${seed}) …`)
  const timeout = baseline(tests)
  const survivors = mutants.filter(mutant => survives(mutant, tests, timeout))

  console.log(`${mutants.length - survivors.length} killed, ${survivors.length} survived`)

  return survivors.length > 0 ? 1 : 0
}

function filesOf(path) {
  if (!statSync(join(root, path)).isDirectory()) return [path]

  return readdirSync(join(root, path), { recursive: true })
    .filter(name => name.endsWith('.ts'))
    .map(name => join(path, name))
}

async function mutantsOf(file) {
  const { Instrumenter } = await import('@stryker-mutator/instrumenter')
  const log = { debug() {}, info() {}, isDebugEnabled: () => false }
  const content = readFileSync(join(root, file), 'utf8')
  const lines = content.split('\n')
  const offset = ({ line, column }) => lines.slice(0, line).join('\n').length + (line > 0 ? 1 : 0) + column
  const options = { plugins: null, excludedMutations: [], ignorers: [], noHeader: true }
  const { mutants } = await new Instrumenter(log).instrument([{ name: file, mutate: true, content }], options)

  return [
    ...mutants.map(({ location, replacement }) => ({
      file,
      content,
      start: offset(location.start),
      end: offset(location.end),
      replacement
    })),
    ...sqlMutantsOf(file, content)
  ]
}

function sqlMutantsOf(file, content) {
  const templates = [...content.matchAll(/`[^`]*\b(?:select|insert|update|delete|where)\b[^`]*`/gi)]

  return templates.flatMap(({ 0: sql, index }) =>
    sqlMutations.flatMap(([pattern, replacement]) =>
      [...sql.matchAll(pattern)].map(match => ({
        file,
        content,
        start: index + match.index,
        end: index + match.index + match[0].length,
        replacement
      }))
    )
  )
}

function sample(mutants, count) {
  const rank = ({ file, start, replacement }) => createHash('sha256').update(`${seed} ${file} ${start} ${replacement}`).digest('hex')

  return mutants
    .map(mutant => ({ mutant, rank: rank(mutant) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .slice(0, count)
    .map(({ mutant }) => mutant)
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

/** Runs the tests on the unchanged code; returns how long a mutant's tests may take. */
function baseline(tests) {
  const startedAt = Date.now()
  const { status, stdout, stderr } = runTests(tests)

  if (status === 0) return 3 * (Date.now() - startedAt) + 10_000
  throw new Error(`The tests fail without a mutation:\n${stdout}\n${stderr}`)
}

function survives({ file, content, start, end, replacement }, tests, timeout) {
  const place = `${file}:${content.slice(0, start).split('\n').length}`
  const write = text => {
    rmSync(join(scratch, file))
    writeFileSync(join(scratch, file), text)
  }

  write(content.slice(0, start) + replacement + content.slice(end))
  const { status } = runTests(tests, timeout)

  write(content)
  console.log(
    `${status === 0 ? 'SURVIVED' : 'killed  '}  ${place}  ${oneLine(content.slice(start, end))}  →  ${oneLine(replacement) || '(nothing)'}`
  )

  return status === 0
}

function runTests(tests, timeout) {
  return spawnSync(process.execPath, ['bin/test.js', tests], { cwd: scratch, encoding: 'utf8', timeout })
}

function oneLine(code) {
  const text = code.replace(/\s+/g, ' ').trim()

  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
