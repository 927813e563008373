import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import { onDatabase } from '../support/databases.ts'
import { eventually } from '../support/eventually.ts'
import { freePort, Launch, openPlace, pidsOf, processesOn, readWelcome } from './launcher.ts'

t.test('a port in use is reported, with a way to choose another', async t => {
  const place = await openPlace(t)
  const other = createServer().listen(place.port, '127.0.0.1')
  const launch = new Launch(place)

  t.teardown(() => other.close())
  t.equal(await launch.ended(), 1)
  t.match(
    launch.output,
    new RegExp(`^web\\.1 +\\| Port ${place.port} on 127\\.0\\.0\\.1 is already in use\\. .*: PORT=${place.port + 1} npm start$`, 'm')
  )
  t.match(launch.errors, 'web.1 did not start: it ended (exit code 1). See its output above.')
  t.notMatch(launch.output, /^ready/m)
  t.same(processesOn(place.dir), [])

  t.test('and the first admin is created by the start that takes the port', async t => {
    const next = new Launch({ ...place, port: await freePort() })

    await next.ready()
    t.match(readWelcome(next.output), { password: /^[a-z0-9-]{12,}$/, token: /^glpat-/ })
    t.equal(await next.ended('SIGTERM'), 0)
  })
})

t.test("the first admin's password is printed although another process does not start", async t => {
  const place = await openPlace(t)
  const launch = new Launch(place)
  const [worker] = await eventually(() => {
    const pids = pidsOf(place.dir, 'worker')

    return pids.length > 0 ? pids : undefined
  }, 'the worker runs')

  // It must end after the web process is ready, and before it is.
  process.kill(worker!, 'SIGSTOP')
  await eventually(() => hasHeartbeat(place.dir, 'web'), 'the web process is ready', 40_000)
  process.kill(worker!, 'SIGKILL')
  t.equal(await launch.ended(), 1)
  t.match(launch.errors, 'worker.1 did not start: it ended (SIGKILL).')
  t.match(readWelcome(launch.output), { password: /^[a-z0-9-]{12,}$/, token: /^glpat-/ })
})

t.test('an address of another machine is reported as HOST', async t => {
  const place = await openPlace(t)
  const launch = new Launch(place, { env: { HOST: '192.0.2.1' } })

  t.equal(await launch.ended(), 1)
  t.match(
    launch.output,
    /\| HOST is not an address of this machine: 192\.0\.2\.1\. Set it to 127\.0\.0\.1, or to 0\.0\.0\.0 for all addresses\.$/m
  )
  t.same(processesOn(place.dir), [])
})

t.test('every invalid setting is reported in one line, and nothing is started', async t => {
  const place = await openPlace(t)
  const launch = new Launch(place, { env: { PORT: 'x', REDIS_URL: 'foo', LOG_LEVEL: 'loud', ROOT_TOKEN: 'short' } })

  t.equal(await launch.ended(), 1)
  t.equal(launch.output, '')
  const [title, ...mistakes] = launch.errors.trimEnd().split('\n')
  t.equal(title, 'Tocsin cannot start with these settings:')
  const [redisUrl] = mistakes.splice(1, 1)
  t.match(redisUrl, /^ {2}REDIS_URL must be a URL such as redis:\/\/host:6379, .*cluster\.$/)
  t.same(mistakes, [
    '  PORT must be a whole number from 0 to 65535, not "x".',
    '  ROOT_TOKEN must have at least 20 characters.',
    '  LOG_LEVEL must be one of trace, debug, info, warn, error, silent, not "loud".'
  ])
  t.notOk(existsSync(place.dir))
})

t.test('a type that is not in the Procfile is refused, with a list of the types', async t => {
  const place = await openPlace(t)
  const launch = new Launch(place, { args: ['wroker=2'] })

  t.equal(await launch.ended(), 1)
  t.equal(launch.errors.trim(), 'Invalid argument "wroker=2": expected type=count, where type is one of: web, worker.')
  t.notOk(existsSync(place.dir))
})

t.test('a data directory that is too deep for a socket is refused with both lengths', async t => {
  const place = await openPlace(t)
  const launch = new Launch({ ...place, dir: join(place.dir, 'deep'.repeat(25)) })

  t.equal(await launch.ended(), 1)
  t.match(
    launch.errors,
    /^DATA_DIR is too deep: .* would have \d+ characters, and the system allows \d+\. Set DATA_DIR to a shorter path\.$/m
  )
})

t.test('data of another Postgres version is not touched', async t => {
  const place = await openPlace(t)
  const version = join(place.dir, 'postgres', 'PG_VERSION')

  mkdirSync(join(place.dir, 'postgres'), { recursive: true })
  writeFileSync(version, '17\n')
  const launch = new Launch(place)

  t.equal(await launch.ended(), 1)
  t.match(launch.errors, /was created by Postgres 17, but this is Postgres 18\./)
  t.ok(existsSync(version))
})

t.test('an unreachable database is reported', async t => {
  const place = await openPlace(t)
  const launch = new Launch(place, {
    env: { DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none', SECRET_KEY: 'a key of thirty-two characters...' }
  })

  t.equal(await launch.ended(), 1)
  t.match(launch.output, /\| The database \(DATABASE_URL\) does not answer: .*ECONNREFUSED/)
  t.same(processesOn(place.dir), [])
})

t.test('a data directory that cannot be written is named, with the setting to change', async t => {
  const place = await openPlace(t)
  const launch = new Launch({ ...place, dir: '/dev/null/data' })

  t.equal(await launch.ended(), 1)
  t.equal(launch.errors.trim(), '/dev/null/data cannot be written (ENOTDIR). Set DATA_DIR to a directory that this user can write to.')
})

/** The first heartbeat comes after the first steps. */
function hasHeartbeat(dir: string, role: string) {
  const url = `postgresql://tocsin@/tocsin?host=${encodeURIComponent(join(dir, 'postgres'))}`

  return onDatabase(url, client => client.query('SELECT FROM tocsin.processes WHERE role = $1', [role])).then(
    ({ rowCount }) => rowCount === 1,
    () => false
  )
}
