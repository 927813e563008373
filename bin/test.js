import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { availableParallelism, tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { environment, install, root } from './install.js'
import { EmbeddedPostgres } from './postgres.js'
import { groupTests } from './test-groups.js'

const help = `Usage: npm test [-- path …]

Checks types and style, then runs every test with tap, on an embedded Postgres made for the run and
on both queue backends. Redis is taken from REDIS_URL, or a redis-server or valkey-server found on
the PATH is started; without one, its half is skipped (and with CI=true, that is a failure).

With files or folders, only their tests run, without the checks and the coverage:
  npm test -- test/platform/batcher.test.ts test/pages
`

const paths = process.argv.slice(2)
const noRedis = 'no REDIS_URL, and neither redis-server nor valkey-server on the PATH'

if (paths.includes('--help')) {
  console.log(help)
  process.exit(0)
}

const missing = paths.filter(path => !existsSync(path))

if (missing.length > 0) {
  console.error(
    missing.map(path => `There is no ${path}: name test files or folders from the project's root, such as test/pages.`).join('\n')
  )
  process.exit(1)
}

install({ tools: true })

const files = paths.map(path => (statSync(path).isDirectory() ? join(path, '**/*.test.ts') : path))
const dir = mkdtempSync(join(tmpdir(), 'tocsin-test-'))
const results = join(dir, 'results.tap')
const settings = {
  // Nothing here has to survive a power cut.
  fsync: 'off',
  // What was learnt of the rows of one test would mislead the next one in the same tables.
  autovacuum: 'off',
  max_connections: '500',
  shared_buffers: '128MB'
}
const postgres = new EmbeddedPostgres({ dataDir: dir, settings })
let redis
let isStopping = false

for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stop(130))

try {
  const checks = files.length > 0 ? [] : [run('tsc', ['--noEmit', '--checkers', '1']), run('biome', ['check', '--error-on-warnings'])]

  await postgres.prepare()
  await postgres.start()
  const redisUrl = process.env.REDIS_URL || (await startRedis())

  if ((await Promise.all(checks)).includes(false)) await stop(1)
  const isGreen = await runTests({ TEST_DATABASE_URL: postgres.url, TEST_REDIS_URL: redisUrl ?? '' })

  await stop(report(isGreen, redisUrl))
} catch (error) {
  console.error(error.message)
  await stop(1)
}

function run(program, args, env = environment()) {
  return new Promise(resolve => {
    spawn(program, args, { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] })
      .once('exit', code => resolve(code === 0))
      .once('error', () => resolve(false))
  })
}

function runTests(own) {
  const coverage = files.length > 0 ? ['--disable-coverage'] : ['--coverage-report=text']
  const args = [
    'run',
    // Many wait for something most of the time.
    `--jobs=${Math.max(2, availableParallelism()) + 2}`,
    '--reporter=terse',
    `--output-file=${results}`,
    ...coverage,
    ...(files.length > 0 ? files : groupTests())
  ]

  // What is set for a running Tocsin must not reach its tests.
  const { DATABASE_URL, REDIS_URL, BASE_URL, PORT, HOST, NAMESPACE, ...env } = environment({
    ...own,
    NODE_COMPILE_CACHE: join(dir, 'compiled')
  })

  return run('tap', args, env)
}

/** Counts the tests of each file, and ends with the line that machines read. */
function report(isGreen, redisUrl) {
  const lines = readFileSync(results, 'utf8').split('\n')
  const tests = lines.filter(line => /^ {4}(not )?ok \d/.test(line))
  const failed = tests.filter(line => line.startsWith('    not ok'))
  const skipped = tests.filter(line => /# SKIP/i.test(line))
  const isRedisMissing = !redisUrl

  for (const line of failed) console.error(`failed:${line.replace(/^ {4}not ok \d+ -?/, '')}`)
  if (isRedisMissing)
    console.error(`skipped: everything on Redis (${noRedis})${process.env.CI === 'true' ? '; with CI=true that is a failure' : ''}`)
  if (!isGreen && failed.length === 0) console.error('failed: a file outside of its tests, or the coverage; see above')

  const others = isGreen || failed.length > 0 ? 0 : 1
  const isFailure = !isGreen || (isRedisMissing && process.env.CI === 'true')
  const skips = skipped.length > 0 ? `, ${skipped.length} skipped` : ''

  // On a line of its own, whatever the reporter left on the last one.
  console.log(`\n${tests.length - failed.length - skipped.length} passed, ${failed.length + others} failed${skips}`)

  return isFailure ? 1 : 0
}

async function startRedis() {
  const program = ['redis-server', 'valkey-server'].find(onPath)

  if (!program) return undefined
  const port = await freePort()

  redis = spawn(program, ['--port', String(port), '--save', '', '--appendonly', 'no', '--dir', dir], { stdio: 'ignore' })

  return `redis://127.0.0.1:${port}`
}

function onPath(program) {
  return process.env.PATH.split(delimiter).some(folder => spawnSync('test', ['-x', join(folder, program)]).status === 0)
}

function freePort() {
  return new Promise(resolve => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}

async function stop(code) {
  if (isStopping) return
  isStopping = true
  redis?.kill()
  await postgres.stop()
  rmSync(dir, { recursive: true, force: true })
  process.exit(code)
}
