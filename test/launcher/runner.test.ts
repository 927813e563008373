import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { testEnvironment } from '../../bin/testing/environment.js'
import { summarize } from '../../bin/testing/report.js'
import { plainly } from '../support/children.ts'
import { eventually } from '../support/world.ts'
import { root } from './launcher.ts'

/** A process of the run starts one in a session of its own, as browsers and databases do. */
const script = `
import { Reaper } from './bin/reaper.js'
const reaper = new Reaper()
const code = "require('child_process').spawn('sleep', ['600'], { detached: true, stdio: 'ignore' }).unref(); setInterval(() => {}, 1000)"
reaper.spawn(process.execPath, ['--eval', code], { env: process.env, stdio: 'ignore' })
console.log(reaper.id)
process.on('SIGTERM', () => reaper.finish().then(() => process.exit(0)))
setInterval(() => {}, 1000)
`

function processesOf(id: string) {
  return readdirSync('/proc').filter(pid => /^\d+$/.test(pid) && environmentOf(pid).includes(`REAPER_RUN=${id}\0`))
}

function environmentOf(pid: string) {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8')
  } catch {
    return ''
  }
}

for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
  t.test(`a run that ends by ${signal} leaves no processes behind`, async t => {
    const runner = spawn(...plainly(process.execPath, ['--input-type=module', '--eval', script]), { cwd: root })
    let output = ''

    runner.stdout.on('data', chunk => {
      output += chunk
    })
    const id = await eventually(() => output.trim(), 'it starts')

    await eventually(() => processesOf(id).length === 2, 'both processes run')
    runner.kill(signal)
    await eventually(() => runner.exitCode !== null || runner.signalCode !== null, 'the runner ends')
    t.ok(await eventually(() => processesOf(id).length === 0, 'both processes end'))
  })
}

t.test('only variables of the system, the network and the tests reach the tests', async t => {
  const names = [
    'DATABASE_URL',
    'REDIS_URL',
    'PORT',
    'OTEL_SERVICE_NAME',
    'SENTRY_DSN',
    'NODE_OPTIONS',
    'FUZZ_RUNS',
    'npm_config_registry',
    'HTTPS_PROXY'
  ]
  const before = Object.fromEntries(names.map(name => [name, process.env[name]]))

  t.teardown(() => {
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  })
  for (const name of names) process.env[name] = 'set'
  const environment: Record<string, string | undefined> = testEnvironment({ TEST_REDIS_URL: 'redis://127.0.0.1' })

  t.same(
    names.filter(name => name in environment),
    ['FUZZ_RUNS', 'npm_config_registry', 'HTTPS_PROXY']
  )
  t.equal(environment.TEST_REDIS_URL, 'redis://127.0.0.1')
  t.match(environment.PATH, join(root, 'node_modules', '.bin'))
})

t.test('the summary names every file that failed, with its tests', async t => {
  const dir = t.testdir({
    'group.ts.tap': `TAP version 14
# Subtest: works
    ok 1 - should be equal
    1..1
ok 1 - works # time=1ms

# Subtest: breaks
    not ok 1 - should be equal
      ---
      at:
        fileName: test/support.ts
      ...
    1..1
not ok 2 - breaks # time=2ms
  ---
  at:
    fileName: test/a.test.ts
  ...

# Subtest: hangs
    # Subtest: inside
        not ok 1 - timeout!
        1..1
    not ok 1 - inside
    1..1
not ok 3 - hangs # time=3ms
  ---
  at:
    fileName: test/b.test.ts
  ...

ok 4 - not here # SKIP there is no Redis
1..4
`,
    'empty.ts.tap': '',
    'exits.ts.tap': 'TAP version 14\nok 1 - works\n1..1\n',
    'late.ts.tap': 'TAP version 14\nok 1 - works\nnot ok 2 - timeout!\n1..2\n',
    'green.ts.tap': 'TAP version 14\nok 1 - works\n1..1\n'
  })
  const groups = new Map([
    ['group.ts', ['test/a.test.ts', 'test/b.test.ts']],
    ['empty.ts', ['test/c.test.ts']],
    ['exits.ts', ['test/d.test.ts']],
    ['late.ts', ['test/e.test.ts']],
    ['missing.ts', ['test/f.test.ts']],
    ['green.ts', ['test/g.test.ts']]
  ])
  const output =
    '\u001b[31m FAIL \u001b[39m group.ts 2 failed of 4 1s\n FAIL  empty.ts 0 1ms\n FAIL  exits.ts 0 1ms\n FAIL  late.ts 1 failed of 2 1s\n'
  const outside = 'ended with an error outside of its tests, or without any (see above)'

  t.same(summarize(groups, output, dir), {
    passed: 4,
    skipped: 1,
    failures: [
      { files: ['test/a.test.ts'], reason: 'breaks' },
      { files: ['test/b.test.ts'], reason: 'hangs (timed out)' },
      { files: ['test/c.test.ts'], reason: outside },
      { files: ['test/d.test.ts'], reason: outside },
      { files: ['test/e.test.ts'], reason: 'timed out' },
      { files: ['test/f.test.ts'], reason: outside }
    ]
  })
})
