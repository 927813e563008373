import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { Launch, openPlace, type Place, processesOn, readWelcome, root } from './launcher.ts'

const place = await openPlace(t)
const { PATH, HOME, NODE_COMPILE_CACHE = '', REAPER_RUN = '' } = process.env

/** `tocsin` in a shell in which only the place is set. */
function tocsin({ dir, port }: Place, line: string, env: Record<string, string> = {}) {
  return spawnSync(process.execPath, ['bin/tocsin.js', ...line.split(' ')], {
    cwd: root,
    encoding: 'utf8',
    env: { PATH, HOME, NODE_COMPILE_CACHE, REAPER_RUN, DATA_DIR: dir, PORT: String(port), ...env }
  })
}

function jsonOf({ stdout, stderr }: SpawnSyncReturns<string>) {
  try {
    return JSON.parse(stdout)
  } catch {
    throw new Error(`not one JSON document: ${stdout}\n${stderr}`)
  }
}

t.test('before the first start, commands say that there is nothing, and create nothing', async t => {
  const status = tocsin(place, 'status --json')

  t.equal(status.status, 1)
  t.same(jsonOf(status), { running: false, version: '0.1.0', data_dir: place.dir })
  const users = tocsin(place, 'user list --json')
  const { error } = jsonOf(users)

  t.equal(users.status, 1)
  t.equal(error, `There is no installation in ${place.dir}. Start it once with \`npx tocsin\`, or set DATA_DIR to its folder.`)
  t.equal(users.stderr, `${error}\n`)
})

t.test('on a running system', async t => {
  const launch = new Launch(place)

  await launch.ready()

  await t.test('status lists processes and queues', async t => {
    const { status, stdout } = tocsin(place, 'status')
    const json = jsonOf(tocsin(place, 'status --json'))

    t.equal(status, 0)
    t.ok(
      stdout.startsWith(`Tocsin 0.1.0 is running on ${place.dir} (process ${launch.process.pid}): http://localhost:${place.port}\n`),
      stdout
    )
    t.same([json.running, json.launcher, json.failed_jobs], [true, launch.process.pid, 0])
    t.same(json.processes.map(({ role }: { role: string }) => role).sort(), ['web', 'worker'])
    t.ok(json.queues.some(({ name, workers }: { name: string; workers: number }) => name === 'errors' && workers === 1))
    t.ok(json.database_bytes > 1_000_000)
  })

  await t.test('a user is created, reset, blocked and unblocked, and all of it is audited', async t => {
    const created = jsonOf(tocsin(place, 'user create ada ada@example.com --json'))

    t.hasStrict(created, { username: 'ada', email: 'ada@example.com', state: 'active', admin: false })
    const again = tocsin(place, 'user create ada other@example.com')

    t.equal(again.status, 1)
    t.match(again.stderr, /taken/)
    const reset = jsonOf(tocsin(place, 'user reset-password ada --token --json'))

    t.not(reset.password, created.password)
    t.match(reset.token, /^glpat-/)
    t.equal(tocsin(place, 'user block ada').stdout, 'ada is blocked.\n')
    t.equal(tocsin(place, 'user block ada').stdout, 'ada was blocked already.\n')
    t.equal(tocsin(place, 'user unblock ada').stdout, 'ada is active.\n')
    const events = await audited(readWelcome(launch.output).token)

    t.same(
      events.filter(({ target }) => target === 'ada').map(({ name, author }) => `${author}: ${name}`),
      ['user_unblocked', 'user_blocked', 'personal_access_token_created', 'user_updated', 'user_updated', 'user_created'].map(
        name => `Command line: ${name}`
      )
    )
    t.match(tocsin(place, 'user list').stdout, /^\d+ +ada +ada +ada@example\.com +active/m)
  })

  await t.test('a token works until it is revoked', async t => {
    const { id, token } = jsonOf(tocsin(place, 'token create ada --scopes api,read_user --json'))

    t.match(tocsin(place, 'token list ada').stdout, new RegExp(`^${id} +ada +command line +personal +api,read_user +\\d{4}-`, 'm'))
    t.not((await whoIs(token)).status, 401)
    t.equal(tocsin(place, `token revoke ${id}`).stdout, 'The token "command line" of ada is revoked.\n')
    t.equal((await whoIs(token)).status, 401)
  })

  await t.test('the doctor finds nothing but the missing mail server', async t => {
    const { status, stdout } = tocsin(place, 'doctor --json')
    const { state, checks } = JSON.parse(stdout)
    const troubles = checks.filter((finding: { check: string; state: string }) => finding.state !== 'ok' && finding.check !== 'disk')

    t.same([status, state], [0, 'warning'], stdout)
    t.same(
      troubles.map(({ check }: { check: string }) => check),
      ['mail']
    )
    const names = new Set(checks.map(({ check }: { check: string }) => check))

    for (const name of ['configuration', 'database', 'queue', 'disk', 'clock', 'mail', 'proxy headers', 'permissions'])
      t.ok(names.has(name), name)
  })

  await t.test('the doctor says how to mend what is wrong, and ends with 1', async t => {
    chmodSync(join(place.dir, 'secret.key'), 0o644)
    const { status, stdout } = tocsin(place, 'doctor', {
      BASE_URL: 'https://tocsin.invalid',
      SMTP_URL: 'smtp://127.0.0.1:1',
      MAIL_FROM: 'tocsin@example.com'
    })

    chmodSync(join(place.dir, 'secret.key'), 0o600)
    t.equal(status, 1)
    t.match(stdout, /^PROBLEM +mail +127\.0\.0\.1:1: .*ECONNREFUSED.*\n +→ Check the server/m)
    t.match(stdout, /^warning +proxy headers +.*TRUST_PROXY is not set.*\n +→ Set TRUST_PROXY/m)
    t.match(stdout, `→ chmod 600 ${join(place.dir, 'secret.key')}\n`)
    const invalid = tocsin(place, 'doctor', { LOG_LEVEL: 'loud' })

    t.equal(invalid.status, 1)
    t.match(invalid.stdout, /^PROBLEM +configuration +LOG_LEVEL must be one of/m)
  })

  t.equal(await launch.ended('SIGTERM'), 0)
})

t.test('a stopped installation is opened for a command, and stopped again', async t => {
  const stopped = tocsin(place, 'user list --json')

  t.equal(stopped.stderr, 'Starting the database …\n')
  t.same(
    jsonOf(stopped).map(({ username }: { username: string }) => username),
    ['ada', 'root']
  )
  t.same(processesOn(place.dir), [])
})

t.test('the doctor reports a database that does not start', async t => {
  const broken = await openPlace(t)

  mkdirSync(join(broken.dir, 'postgres'), { recursive: true })
  writeFileSync(join(broken.dir, 'postgres', 'PG_VERSION'), '17\n')
  const { status, stdout } = tocsin(broken, 'doctor')

  t.equal(status, 1)
  t.match(stdout, /^PROBLEM +database +.*Postgres 17/m)
})

function whoIs(token: string) {
  return fetch(`http://localhost:${place.port}/api/v4/user`, { headers: { 'PRIVATE-TOKEN': token } })
}

async function audited(token: string) {
  const response = await fetch(`http://localhost:${place.port}/api/v4/audit_events?entity_type=User`, {
    headers: { 'PRIVATE-TOKEN': token }
  })
  const events = (await response.json()) as { event_name: string; details: { entity_path: string; author_name: string } }[]

  return events.map(({ event_name: name, details }) => ({ name, target: details.entity_path, author: details.author_name }))
}
