import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { environment, install, root } from './install.js'
import { EmbeddedPostgres } from './postgres/embedded-postgres.js'
import { Reaper } from './reaper.js'
import { testEnvironment } from './testing/environment.js'
import { groupTests, listTests } from './testing/files.js'
import { clock, showProgress } from './testing/progress.js'
import { startRedis } from './testing/redis.js'
import { listSlowest, summarize } from './testing/report.js'
import { clearResults, readResults } from './testing/results.js'

const help = `Usage: npm test [-- path …]
       npm run test:slow [-- path …]
       npm run coverage

npm test runs npm run check, then every *.test.ts with tap, on an embedded Postgres created for the run and on both queue
backends. Uses the Redis of REDIS_URL, or starts a redis-server or valkey-server from the PATH. Without one, the tests on
Redis are skipped; with CI=true, that is a failure.

npm run test:slow runs every *.slow.ts instead: walks over every page, long loops of kill -9, fuzzing.
npm run coverage runs every *.test.ts and reports which lines they cover.

With files or folders, runs only their tests, without the checks:
  npm test -- test/platform/batcher.test.ts test/pages

Other environment variables do not reach the tests, except TEST_LOG, FUZZ_…, PAGES, PICTURES, SNAPSHOTS
and EXTRAS: with EXTRAS=none, the tests of the core pass (npm run test:core).
`

const args = process.argv.slice(2)
const [isSlow, hasCoverage] = [args.includes('--slow'), args.includes('--coverage')]
const paths = args.filter(arg => !['--slow', '--coverage', '--help'].includes(arg))

if (args.includes('--help')) {
  console.log(help)
  process.exit(0)
}

const missing = paths.filter(path => !existsSync(join(root, path)))

if (missing.length > 0) {
  for (const path of missing) console.error(`There is no ${path}: name test files or folders from the project's root, such as test/pages.`)
  process.exit(1)
}

const files = listTests({ paths, isSlow })

if (files.length === 0) {
  console.error(`${paths.join(', ')} has no ${isSlow ? '*.slow.ts' : '*.test.ts'}.`)
  process.exit(1)
}

install({ tools: true })

const startedAt = Date.now()
const reaper = new Reaper()
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
const lightenTap = new URL('testing/lighten-tap.js', import.meta.url).href
let isStopping = false

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(130))

try {
  await stop(await main())
} catch (error) {
  if (!isStopping) console.error(error.message)
  await stop(1)
}

async function main() {
  const hasChecks = paths.length === 0 && !isSlow && !hasCoverage
  const checks = hasChecks ? run('npm', ['run', '--silent', 'check']) : { code: 0 }

  await postgres.prepare()
  await postgres.start()
  const redisUrl = process.env.REDIS_URL || (await startRedis(dir, reaper.spawn.bind(reaper)))
  const template = run('node', ['test/support/make-template.ts'], variables(redisUrl))

  if ((await Promise.all([checks, template])).some(({ code }) => code !== 0)) return 1

  return runTests(groupTests(files), redisUrl)
}

async function runTests(groups, redisUrl) {
  clearResults(groups)
  const progress = showProgress(groups)
  const coverage = hasCoverage ? ['--coverage-report=text'] : ['--disable-coverage']
  // Tests wait half of the time.
  const jobs = Math.max(2, availableParallelism()) + 2
  const options = ['run', `--jobs=${jobs}`, '--reporter=tap', `--node-arg=--import=${lightenTap}`, ...coverage, ...groups]
  const { code, output } = await run('tap', options, variables(redisUrl), { isQuiet: true })

  progress.stop()
  const results = readResults(groups)
  const summary = summarize(results, output)

  if (hasCoverage) console.log(output.slice(output.indexOf('\n----')))
  if (code !== 0 && summary.failures.length === 0) summary.failures.push('coverage below its bounds in package.json, or tap itself')

  return report(results, summary, redisUrl)
}

function variables(redisUrl = '') {
  return testEnvironment({
    TEST_DATABASE_URL: postgres.url,
    TEST_REDIS_URL: redisUrl,
    TEST_DATA_DIR: join(dir, 'data'),
    NODE_COMPILE_CACHE: join(dir, 'compiled')
  })
}

/** Runs a program and returns its exit code and what it printed. */
function run(program, args, env = environment(), { isQuiet = false } = {}) {
  return new Promise(resolve => {
    const child = reaper.spawn(program, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] })
    let output = ''

    child.stdout.on('data', chunk => {
      output += chunk
      if (!isQuiet) process.stdout.write(chunk)
    })
    child.once('close', code => resolve({ code, output }))
    child.once('error', error => resolve({ code: 1, output: error.message }))
  })
}

/** Ends with the line that machines read: "1 passed, 0 failed". */
function report(results, { passed, skipped, failures }, redisUrl) {
  const isRedisRequired = !redisUrl && process.env.CI === 'true'

  if (results.length > 20) console.log(`\n${listSlowest(results).join('\n')}\n`)
  for (const failure of failures) console.error(`failed: ${failure}`)
  if (!redisUrl) console.error(`skipped: all tests on Redis (no REDIS_URL, and no redis-server or valkey-server on the PATH)`)
  if (isRedisRequired) console.error('failed: CI=true requires Redis')
  console.log(
    `${clock(Date.now() - startedAt)} minutes\n${passed} passed, ${failures.length} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
  )

  return failures.length > 0 || isRedisRequired || results.length === 0 ? 1 : 0
}

async function stop(code) {
  if (isStopping) return
  isStopping = true
  await postgres.stop()
  await reaper.finish()
  rmSync(dir, { recursive: true, force: true })
  process.exit(code)
}
