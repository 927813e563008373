import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import t from 'tap'

const root = join(import.meta.dirname, '..')
const files = ['src', 'workers']
  .flatMap(folder => readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(name => join(folder, name)))
  .filter(name => name.endsWith('.ts'))
const read = (file: string) => readFileSync(join(root, file), 'utf8')

/** Composition: it alone knows everybody. */
const composition = new Set([
  'src/app.ts',
  'src/boot.ts',
  'src/entities.ts',
  'src/first-steps.ts',
  'src/queues.ts',
  'src/reset-root.ts',
  'src/schedule.ts',
  'src/server.ts',
  'workers/main.ts'
])
const layers = { platform: 0, http: 1, domain: 2, pages: 3, workers: 4, composition: 5 } as const

function layerOf(file: string): keyof typeof layers | undefined {
  if (composition.has(file)) return 'composition'
  if (file === 'src/config.ts' || file.startsWith('src/migrations/')) return undefined
  if (file.startsWith('workers/')) return 'workers'
  const folder = file.split('/')[1]!

  return folder === 'platform' || folder === 'http' || folder === 'pages' ? folder : 'domain'
}

function importsOf(file: string) {
  return [...read(file).matchAll(/from '(\.[^']+)'/g)].map(([, path]) => relative(root, resolve(root, dirname(file), path!)))
}

t.test('imports run one way: workers, domain, http, platform', async t => {
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

t.test('the door knows its contracts, its guard and its own words, and no ORM', async t => {
  const allowed =
    /^src\/((error-tracking|alerts)\/(envelope|inflate|jobs|parse\/nesting|door\/[a-z-]+)|http\/(limits|problems|render)|platform\/(cache|listener|problems|job))\.ts$/
  const door = files.filter(file => file.endsWith('/intake.ts') || file.includes('/door/'))

  t.ok(door.length > 0)
  for (const file of door) {
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
