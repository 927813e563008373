import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { renderings } from '#api/problems/problem-of.ts'
import { Settings } from '#settings/settings.ts'
import { readProcfile } from '../../bin/procfile.js'
import { root } from './launcher.ts'

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const paths = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.md'))
    .map(name => join('docs', name))
]
const documents = paths.map(path => ({ path, text: read(path) }))
const all = documents.map(({ text }) => text).join('\n')
const errors = read('docs/api-errors.md')
const ingestErrors = ['src/intake/errors/ingest-error.ts', 'src/intake/errors/authenticate-key.ts']

t.test('the README has at most 150 lines and leads to every page of the documentation', async t => {
  const readme = read('README.md')

  t.ok(readme.split('\n').length <= 151)
  for (const folder of ['docs', 'docs/contributing'])
    for (const name of readdirSync(join(root, folder)).filter(name => name.endsWith('.md'))) t.match(readme, `(${folder}/${name})`)
  for (const name of readdirSync(join(root, 'docs/contributing/decisions')))
    t.match(`README.md ${read('docs/contributing/decisions/README.md')}`, name)
})

t.test('docs/configuration.md lists the settings as the code declares them', async t => {
  const { status, stderr } = spawnSync(process.execPath, ['bin/docs.js', '--check'], { cwd: root, encoding: 'utf8' })

  t.equal(stderr, '')
  t.equal(status, 0)
})

t.test('every variable in the documentation is a setting, or one of OpenTelemetry or of SDKs', async t => {
  const named = [...all.matchAll(/`([A-Z]+(?:_[A-Z]+)+)(?:=[^`]*)?`/g)].map(([, name]) => name!)

  t.ok(named.length > 60)
  t.same(
    named.filter(name => !(name in Settings.properties) && !/^(OTEL|SENTRY)_/.test(name)),
    []
  )
})

t.test('docs/api-errors.md has a row for every status that clients can receive', async t => {
  const [api = '', rest = ''] = errors.split('## Error intake')
  const [intake = ''] = rest.split('\n## ')
  const rowsOf = (text: string) => unique([...text.matchAll(/^\| (\d{3}) \|/gm)].map(([, status]) => status!))
  const thrownIn = (path: string) => [...read(path).matchAll(/(?:super|Problem|IngestError)\(([45]\d\d)\b/g)].map(([, status]) => status!)
  const problems = readdirSync(join(root, 'src/api/problems')).map(name => `src/api/problems/${name}`)

  t.same(rowsOf(api), unique([...problems.flatMap(thrownIn), ...renderings.map(({ status }) => String(status))]))
  t.same(rowsOf(intake), unique([...ingestErrors.flatMap(thrownIn), '429']))
})

t.test('docs/api-errors.md quotes the messages for SDKs', async t => {
  for (const path of ingestErrors) {
    for (const [, status, detail] of read(path).matchAll(/IngestError\((\d{3}), '([^']+)'/g)) {
      t.ok(errors.includes(`| ${status} |`) && (status === '401' || errors.includes(`\`${detail}\``)), `${status} ${detail}`)
    }
  }
})

t.test('every script, file, folder and link in the documentation exists', async t => {
  const { scripts } = JSON.parse(read('package.json'))

  for (const [, name] of all.matchAll(/npm run ([\w-]+(?::\w+)?)/g)) t.ok(name! in scripts, `npm run ${name}`)
  for (const [, name] of all.matchAll(/npm run bench ([a-z][a-z-]*)/g))
    t.ok(existsSync(join(root, 'bench', `${name}.ts`)), `npm run bench ${name}`)
  for (const [, path] of all.matchAll(/((?:src|workers|test|bench)\/[\w/.-]+\.ts)/g)) t.ok(existsSync(join(root, path!)), `${path}`)
  for (const [, folder] of read('docs/contributing/architecture.md').matchAll(/^ {2}([\w-]+)\/ /gm))
    t.ok(existsSync(join(root, 'src', folder!)), `src/${folder}`)
  for (const { path, text } of documents) {
    for (const [, target] of text.matchAll(/\]\((?!https?:)([^)#]+)[^)]*\)/g))
      t.ok(existsSync(join(root, dirname(path), target!)), `${path}: ${target}`)
  }
  t.same([...readProcfile(join(root, 'Procfile')).keys()], ['web', 'worker'])
})

function unique(values: string[]) {
  return [...new Set(values)].sort()
}
