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

Files with failures run again, one after the other: what passes then is listed as unsteady, and is no failure.

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

/** More is no accident of a busy machine. */
const maxRepeatedFiles = 40
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
  // Tests wait most of the time.
  const summary = await runTests(groups, { redisUrl, jobs: Math.max(2, availableParallelism()) + 2, hasCoverage: paths.length === 0 })

  return report(paths.length > 0 ? summary : await repeatFailed(summary, redisUrl), redisUrl)
}

/** Runs the files with failures again, without others beside them: on a busy machine, some wait in vain. */
async function repeatFailed({ passed, skipped, failures }, redisUrl) {
  const files = [...new Set(failures.flatMap(({ files }) => files))]

  if (files.length === 0 || files.length > maxRepeatedFiles) return { passed, skipped, failures }
  console.log(`\n${failures.length} failed; running ${files.length} files again, one after the other`)
  const again = await runTests(listTests(files), { redisUrl, jobs: 1, hasCoverage: false })
  const failed = new Set(again.failures.flatMap(({ files }) => files))
  const unsteady = failures.filter(({ files }) => !files.some(file => failed.has(file)))

  for (const failure of unsteady) console.error(`unsteady: ${describe(failure)}`)

  return { passed: passed + unsteady.length, skipped, failures: failures.filter(failure => !unsteady.includes(failure)) }
}

async function runTests(groups, { redisUrl = '', jobs, hasCoverage }) {
  const coverage = hasCoverage ? '--coverage-report=text' : '--disable-coverage'

  clearResults(groups)
  const { code, output } = await run(
    'tap',
    ['run', `--jobs=${jobs}`, '--reporter=terse', coverage, ...groups.keys()],
    testEnvironment({
      TEST_DATABASE_URL: postgres.url,
      TEST_REDIS_URL: redisUrl,
      NODE_COMPILE_CACHE: join(dir, 'compiled'),
      ...(process.stdout.isTTY && !process.env.NO_COLOR && { FORCE_COLOR: '1' })
    })
  )
  const summary = summarize(groups, output)

  if (code !== 0 && summary.failures.length === 0) summary.failures.push({ files: [], reason: 'the coverage, or tap itself (see above)' })

  return summary
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
function report({ passed, skipped, failures }, redisUrl) {
  const isRedisRequired = !redisUrl && process.env.CI === 'true'

  for (const failure of failures) console.error(`failed: ${describe(failure)}`)
  if (!redisUrl) console.error(`skipped: all tests on Redis (no REDIS_URL, and no redis-server or valkey-server on the PATH)`)
  if (isRedisRequired) console.error('failed: CI=true requires Redis')
  // The reporter may leave the cursor within a line.
  console.log(`\n${passed} passed, ${failures.length} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)

  return failures.length > 0 || isRedisRequired ? 1 : 0
}

function describe({ files, reason }) {
  return [files.join(', '), reason].filter(Boolean).join(': ')
}

async function stop(code) {
  if (isStopping) return
  isStopping = true
  await postgres.stop()
  await reaper.finish()
  rmSync(dir, { recursive: true, force: true })
  process.exit(code)
}
