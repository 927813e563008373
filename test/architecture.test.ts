import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import t from 'tap'
import { visitFile } from '../bin/regexes.js'

const root = join(import.meta.dirname, '..')
const files = ['src', 'workers']
  .flatMap(folder => readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(name => join(folder, name)))
  .filter(name => name.endsWith('.ts'))
const read = (file: string) => readFileSync(join(root, file), 'utf8')

/** Composition: it alone knows everybody. */
const composition = new Set([
  'src/app.ts',
  'src/backup.ts',
  'src/boot.ts',
  'src/entities.ts',
  'src/first-steps.ts',
  'src/queues.ts',
  'src/reset-root.ts',
  'src/schedule.ts',
  'src/server.ts',
  'workers/main.ts'
])
const layers = { lib: 0, platform: 1, http: 2, domain: 3, pages: 4, workers: 5, composition: 6 } as const

function layerOf(file: string): keyof typeof layers | undefined {
  if (composition.has(file)) return 'composition'
  if (file === 'src/config.ts' || file.startsWith('src/migrations/')) return undefined
  if (file.startsWith('workers/')) return 'workers'
  const folder = file.split('/')[1]!

  return folder === 'lib' || folder === 'platform' || folder === 'http' || folder === 'pages' ? folder : 'domain'
}

function importsOf(file: string) {
  return [...read(file).matchAll(/from '(\.[^']+)'/g)].map(([, path]) => relative(root, resolve(root, dirname(file), path!)))
}

t.test('imports run one way: workers, pages, domain, http, platform, lib', async t => {
  t.ok(files.length > 50)
  for (const file of files) {
    const own = layerOf(file)
    if (!own) continue

    for (const imported of importsOf(file)) {
      const other = layerOf(imported)
      if (other) t.ok(layers[other] <= layers[own], `${file} may not import ${imported}`)
    }
  }
})

/** Lower domains and the domains that each may import. */
const domains: Record<string, string[]> = {
  audit: [],
  activity: [],
  namespaces: [],
  identity: ['audit', 'namespaces'],
  projects: ['audit', 'activity', 'namespaces', 'identity'],
  notes: ['projects'],
  issues: ['activity', 'identity', 'projects', 'notes'],
  alerts: ['audit', 'identity', 'projects', 'notes'],
  incidents: ['audit', 'identity', 'projects', 'issues', 'alerts']
}

t.test('lower domains import only the domains below them', async t => {
  for (const [domain, allowed] of Object.entries(domains)) {
    for (const file of files.filter(file => file.startsWith(`src/${domain}/`))) {
      for (const imported of importsOf(file).filter(imported => layerOf(imported) === 'domain')) {
        const other = imported.split('/')[1]!
        t.ok(other === domain || allowed.includes(other), `${file} may not import ${imported}`)
      }
    }
  }
})

t.test('intake imports contracts, guards and pure code, and no ORM', async t => {
  const allowed =
    /^src\/(lib\/[a-z-]+|(error-tracking|alerts)\/(jobs|parse\/envelope|ingest\/[a-z-]+)|http\/(limits|problems)\/[a-z-]+|platform\/(problems|(cache|queue|database)\/(cache|listener|job|abandoned-requests)))\.ts$/
  const intake = files.filter(file => file.includes('/ingest/'))

  t.ok(intake.length > 0)
  for (const file of intake) {
    for (const imported of importsOf(file)) t.match(imported, allowed, `${file} imports ${imported}`)
    t.notMatch(read(file), /mikro-orm/)
  }
})

t.test('only the configuration reads the environment', async t => {
  for (const file of files.filter(file => file !== 'src/config.ts')) t.notMatch(read(file), /process\.env/, file)
})

t.test('only the platform knows which queue backend there is', async t => {
  for (const file of files.filter(file => layerOf(file) !== 'platform' && layerOf(file) !== undefined)) {
    t.notMatch(read(file), /from '(bullmq|ioredis)'/, file)
  }
})

t.test('nothing is called service, manager, helper, util or common', async t => {
  for (const file of files) t.notMatch(file, /service|manager|helper|util|common/i)
})

t.test('a key from outside never reaches the prototype of a table', async t => {
  for (const file of files) {
    const text = read(file)

    // `constructor` and `toString` are in every object. With Object.hasOwn, or in a Map, they are not found.
    visitFile(file, node => {
      if (node.type === 'BinaryExpression' && node.operator === 'in')
        t.equal(node.left.type, 'Literal', `${file}:${node.loc.start.line} looks up a variable name with \`in\``)
    })
    for (const [, table] of text.matchAll(/^ *(?:export )?const (\w+): Record<string, .*> = \{$/gm)) {
      const lookups = text.split('\n').filter(line => line.includes(`${table}[`) && !line.includes(`Object.hasOwn(${table}, `))

      t.same(lookups, [], `${file}: ${table} is looked up without Object.hasOwn`)
    }
  }
})
