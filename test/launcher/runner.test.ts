import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { testEnvironment } from '../../bin/testing/environment.js'
import { listSlowest, summarize } from '../../bin/testing/report.js'
import { parseResults } from '../../bin/testing/results.js'
import { plainly } from '../support/children.ts'
import { eventually } from '../support/eventually.ts'
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

const failed = `TAP version 14
# file: test/a.test.ts
# Subtest: works
    ok 1 - should be equal
    1..1
ok 1 - works # time=1500.5ms

# Subtest: breaks
    # Subtest: inside
        not ok 1 - should be equal
          ---
          diff: |
            -1
            +2
          source: >
            t.equal(1, 2)

            --^
          at:
            fileName: test/support.ts
          ...
        1..1
    not ok 1 - inside # time=1ms
    1..1
not ok 2 - breaks # time=2ms
  ---
  at:
    fileName: test/a.test.ts
  ...

# file: test/b.test.ts
ok 3 - not here # SKIP there is no Redis
not ok 4 - timeout!
1..4
`

t.test('results of a process tell the file, the time and the failed assertions of each test', async t => {
  const [works, breaks, ...others] = parseResults(failed)

  t.same(works, { file: 'test/a.test.ts', name: 'works', ms: 1500.5, state: 'passed', details: '' })
  t.equal(breaks!.state, 'failed')
  t.match(breaks!.details, /^ {2}should be equal\n +diff: \|\n +-1\n +\+2\n +at:\n +fileName: test\/support\.ts$/)
  t.same(others, [
    { file: 'test/b.test.ts', name: 'not here', ms: 0, state: 'skipped', details: '' },
    { file: 'test/b.test.ts', name: 'timeout!', ms: 0, state: 'failed', details: '' }
  ])
})

t.test('the summary names failed tests, and processes that failed without one', async t => {
  const results = [
    ...parseResults(failed).map(result => ({ group: 'one.test.ts', ...result })),
    ...parseResults('# file: test/c.test.ts\nok 1 - works # time=1ms\n').map(result => ({ group: 'two.test.ts', ...result }))
  ]
  const output = `TAP version 14
# Subtest: one.test.ts
    not ok 1 - breaks
not ok 1 - one.test.ts # time=2ms
  ---
  exitCode: 1
  signal: null
  ...

not ok 2 - two.test.ts # time=2ms
  ---
  exitCode: null
  signal: SIGKILL
  ...

not ok 3 - three.test.ts # time=2ms
ok 4 - four.test.ts # time=2ms
`

  t.same(summarize(results, output), {
    passed: 2,
    skipped: 1,
    failures: [
      'test/a.test.ts: breaks',
      'test/b.test.ts: timeout!',
      'two.test.ts after test/c.test.ts: works (signal: SIGKILL)',
      'three.test.ts after its start (no tests)'
    ]
  })
})

t.test('the slowest tests and files are listed', async t => {
  const results = [
    { file: 'a', name: 'one', ms: 1000 },
    { file: 'a', name: 'two', ms: 2000 },
    { file: 'b', name: 'three', ms: 2500 }
  ]

  t.same(listSlowest(results, 2), [
    'Slowest tests:',
    '    2.5 s  b: three',
    '    2.0 s  a: two',
    'Slowest files:',
    '    3.0 s  a',
    '    2.5 s  b'
  ])
})
