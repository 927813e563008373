import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { environment, install, root } from './install.js'
import { EmbeddedPostgres } from './postgres/embedded-postgres.js'
import { Reaper } from './reaper.js'
import { testEnvironment } from './testing/environment.js'
import { groupTests, listTests } from './testing/files.js'
import { startRedis } from './testing/redis.js'
import { clearResults, summarize } from './testing/report.js'

const help = `Usage: npm test [-- path …]

Runs npm run check, then runs every test with tap, on an embedded Postgres created for the run
and on both queue backends. Uses the Redis of REDIS_URL, or starts a redis-server or valkey-server
from the PATH. Without one, the tests on Redis are skipped; with CI=true, that is a failure.

With files or folders, runs only their tests, without checks and coverage:
  npm test -- test/platform/batcher.test.ts test/pages

Other environment variables do not reach the tests, except TEST_LOG, FUZZ_… and PICTURES.
`

const paths = process.argv.slice(2)

if (paths.includes('--help')) {
  console.log(help)
  process.exit(0)
}

const missing = paths.filter(path => !existsSync(join(root, path)))

if (missing.length > 0) {
  for (const path of missing) console.error(`There is no ${path}: name test files or folders from the project's root, such as test/pages.`)
  process.exit(1)
}

install({ tools: true })

const reaper = new Reaper()
const groups = paths.length > 0 ? listTests(paths) : groupTests()
const dir = mkdtempSync(join(tmpdir(), 'tocsin-test-'))
const settings = {
  // The data need not survive a power failure.
  fsync: 'off',
  // Tests reuse tables: statistics of one test's rows would mislead the planner in the next.
  autovacuum: 'off',
  max_connections: '500',
  shared_buffers: '128MB'
}
const postgres = new EmbeddedPostgres({ dataDir: dir, settings })
let isStopping = false

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(130))

try {
  await stop(await main())
} catch (error) {
  if (!isStopping) console.error(error.message)
  await stop(1)
}

async function main() {
  const checks = paths.length > 0 ? [] : [run('npm', ['run', '--silent', 'check'])]

  await postgres.prepare()
  await postgres.start()
  const redisUrl = process.env.REDIS_URL || (await startRedis(dir, reaper.spawn.bind(reaper)))

  if ((await Promise.all(checks)).some(({ code }) => code !== 0)) return 1
  clearResults(groups)

  return report(await runTests(redisUrl), redisUrl)
}

function runTests(redisUrl = '') {
  const args = [
    'run',
    // Tests wait most of the time.
    `--jobs=${Math.max(2, availableParallelism()) + 2}`,
    '--reporter=terse',
    paths.length > 0 ? '--disable-coverage' : '--coverage-report=text',
    ...groups.keys()
  ]

  return run(
    'tap',
    args,
    testEnvironment({
      TEST_DATABASE_URL: postgres.url,
      TEST_REDIS_URL: redisUrl,
      NODE_COMPILE_CACHE: join(dir, 'compiled'),
      ...(process.stdout.isTTY && !process.env.NO_COLOR && { FORCE_COLOR: '1' })
    })
  )
}

/** Runs a program and returns its exit code and what it printed. */
function run(program, args, env = environment()) {
  return new Promise(resolve => {
    const child = reaper.spawn(program, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] })
    let output = ''

    child.stdout.on('data', chunk => {
      output += chunk
      process.stdout.write(chunk)
    })
    child.once('close', code => resolve({ code, output }))
    child.once('error', error => resolve({ code: 1, output: error.message }))
  })
}

/** Lists the failures and prints the line that machines read: "1 passed, 0 failed". */
function report({ code, output }, redisUrl) {
  const { passed, skipped, failures } = summarize(groups, output)
  const isRedisRequired = !redisUrl && process.env.CI === 'true'

  if (code !== 0 && failures.length === 0) failures.push('the coverage, or tap itself (see above)')
  for (const failure of failures) console.error(`failed: ${failure}`)
  if (!redisUrl) console.error(`skipped: all tests on Redis (no REDIS_URL, and no redis-server or valkey-server on the PATH)`)
  if (isRedisRequired) console.error('failed: CI=true requires Redis')
  // The reporter may leave the cursor within a line.
  console.log(`\n${passed} passed, ${failures.length} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)

  return failures.length > 0 || isRedisRequired ? 1 : 0
}

async function stop(code) {
  if (isStopping) return
  isStopping = true
  await postgres.stop()
  await reaper.finish()
  rmSync(dir, { recursive: true, force: true })
  process.exit(code)
}
