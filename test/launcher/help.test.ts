import { spawnSync } from 'node:child_process'
import t from 'tap'
import { Settings } from '#settings/settings.ts'
import { rosterOf } from '../../workers/roster.ts'
import { root } from './launcher.ts'

const run = (...args: string[]) => spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' })

t.test('npm start -- --help explains formations and lists the settings', async t => {
  const { status, stdout } = run('bin/start.js', '--help')

  t.equal(status, 0)
  for (const word of ['Usage: npm start', 'worker=3', ...Object.keys(Settings.properties)]) t.match(stdout, word)
})

t.test('node bin/tocsin.js web --help lists the settings with their defaults', async t => {
  const { status, stdout } = run('bin/tocsin.js', 'web', '--help')

  t.equal(status, 0)
  for (const name of Object.keys(Settings.properties)) t.match(stdout, new RegExp(`^  ${name} +\\S`, 'm'))
  t.match(stdout, /^ {2}PORT .*\(3000\)$/m)
})

t.test('npm test -- --help explains which tests run, and how to run one file', async t => {
  const { status, stdout } = run('bin/test.js', '--help')

  t.equal(status, 0)
  for (const word of ['Usage: npm test', 'npm run test:slow', 'npm run coverage', 'REDIS_URL', 'CI=true', '.test.ts']) t.match(stdout, word)
})

t.test('npm test refuses what names no tests, and says so', async t => {
  for (const [arg, message] of [
    ['--slwo', 'There is no --slwo: '],
    ['docs', 'docs has no *.test.ts.']
  ] as const) {
    const { status, stderr } = run('bin/test.js', arg)

    t.equal(status, 1)
    t.ok(stderr.startsWith(message), stderr)
  }
})

t.test('npm run test:sdks -- --help lists the languages', async t => {
  const { status, stdout } = run('bin/test-sdks.js', '--help')

  t.equal(status, 0)
  for (const word of ['Usage: npm run test:sdks', 'node python go java rust ruby php', 'skipped']) t.match(stdout, word)
})

t.test('node bin/tocsin.js worker --help lists every queue with its setting', async t => {
  const { status, stdout } = run('bin/tocsin.js', 'worker', '--help')

  t.equal(status, 0)
  t.match(stdout, 'Usage: node bin/tocsin.js worker [queue …]')
  for (const queue of Object.keys(rosterOf([]))) {
    const setting = queue === 'alerts' ? 'ALERT_SHARDS' : `${queue.toUpperCase().replaceAll('-', '_')}_CONCURRENCY`

    t.match(stdout, new RegExp(`^  ${queue} +${setting}$`, 'm'))
  }
})

t.test('a worker refuses an unknown queue and lists the known ones', async t => {
  const { status, stderr } = run('bin/tocsin.js', 'worker', 'errors', 'letters')

  t.equal(status, 1)
  t.match(stderr, `unknown queue "letters". Queues: ${Object.keys(rosterOf([])).join(', ')}.`)
})
