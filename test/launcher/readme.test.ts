import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { readProcfile } from '../../bin/procfile.js'
import { Settings } from '../../src/settings.ts'
import { root } from './launcher.ts'

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const readme = read('README.md')
const section = (title: string) => readme.split(/^## /m).find(text => text.startsWith(`${title}\n`)) ?? ''

t.test('docs/configuration.md lists the settings as the code declares them', async t => {
  const { status, stderr } = spawnSync(process.execPath, ['bin/docs.js', '--check'], { cwd: root, encoding: 'utf8' })

  t.equal(stderr, '')
  t.equal(status, 0)
})

t.test('every variable that is named is a setting, or one of OpenTelemetry or of SDKs', async t => {
  const named = [...(readme + read('docs/configuration.md')).matchAll(/`([A-Z]+(?:_[A-Z]+)+)(?:=[^`]*)?`/g)].map(([, name]) => name!)

  t.ok(named.length > 20)
  t.same(
    named.filter(name => !(name in Settings.properties) && !/^(OTEL|SENTRY)_/.test(name)),
    []
  )
})

t.test('every status that clients may be told has its row', async t => {
  const [api = '', intake = ''] = section('What clients are told when something is wrong').split('Error intake')
  const rowsOf = (text: string) => unique([...text.matchAll(/^\| (\d{3}) \|/gm)].map(([, status]) => status!))
  const thrownIn = (path: string) =>
    unique([...read(path).matchAll(/(?:super|Problem|Refusal)\(([45]\d\d)\b/g)].map(([, status]) => status!))
  const refusals = unique([
    ...thrownIn('src/error-tracking/ingest/refusal.ts'),
    ...thrownIn('src/error-tracking/ingest/authenticate-key.ts'),
    '429'
  ])

  t.same(rowsOf(api), thrownIn('src/http/problems/problems.ts'))
  t.same(rowsOf(intake), refusals)
})

t.test('what SDKs are told stands there as it is said', async t => {
  for (const path of ['src/error-tracking/ingest/refusal.ts', 'src/error-tracking/ingest/authenticate-key.ts']) {
    for (const [, status, detail] of read(path).matchAll(/Refusal\((\d{3}), '([^']+)'/g)) {
      t.ok(readme.includes(`| ${status} |`) && (status === '401' || readme.includes(`\`${detail}\``)), `${status} ${detail}`)
    }
  }
})

t.test('what it names is there', async t => {
  const { scripts } = JSON.parse(read('package.json'))
  const documents = readme + read('CONTRIBUTING.md')

  for (const [, name] of documents.matchAll(/npm run ([\w-]+)/g)) t.ok(name! in scripts, `npm run ${name}`)
  for (const [, path] of documents.matchAll(/\]\(([\w./-]+\.md|LICENSE)\)/g)) t.ok(existsSync(join(root, path!)), `${path}`)
  for (const [, path] of documents.matchAll(/((?:src|workers|test|bench)\/[\w/.-]+\.ts)/g)) t.ok(existsSync(join(root, path!)), `${path}`)
  for (const [, folder] of section('Map of the code').matchAll(/^ {2}([\w-]+)\/ /gm))
    t.ok(existsSync(join(root, 'src', folder!)), `${folder}`)
  t.same([...readProcfile(join(root, 'Procfile')).keys()], ['web', 'worker'])
})

function unique(values: string[]) {
  return [...new Set(values)].sort()
}
