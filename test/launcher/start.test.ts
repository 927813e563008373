import { existsSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { eventually } from '../support/eventually.ts'
import { healthOf } from './compose.ts'
import { Launch, openPlace, pidsOf, processesOn, readWelcome, root, shell } from './launcher.ts'

const place = await openPlace(t)
const { dir } = place
let welcome: ReturnType<typeof readWelcome>

const errorsOf = async () => JSON.parse(await shell(welcome.list))
const patience = 40_000

t.test('the first start prints a welcome whose commands work', async t => {
  const launch = new Launch(place, { isCovered: true })

  await launch.ready()
  welcome = readWelcome(launch.output)
  t.hasStrict(welcome, { address: `http://localhost:${place.port}`, admin: 'root' })
  t.match(welcome, { password: /^[a-z0-9-]{12,}$/, token: /^glpat-/ })
  t.match(welcome.dsn, new RegExp(`^http://\\w+@localhost:${place.port}/errortracking/api/v1/projects/\\d+$`))
  t.equal(launch.lines.at(-1), `ready http://localhost:${place.port}`)

  t.match(JSON.parse(await shell(welcome.send)), { id: /^[0-9a-f]{32}$/ })
  const [error] = await eventually(async () => ((await errorsOf()).length > 0 ? errorsOf() : undefined), 'the error can be read')
  t.hasStrict(error, { description: 'Hello, Tocsin', event_count: 1 })
  t.same(JSON.parse(await shell(welcome.alert)), [{ iid: 1, title: 'Hello, Tocsin' }])

  t.test('one process of each type runs, and each responds', async t => {
    t.same(
      ['launcher', 'web', 'worker', 'postgres'].map(name => pidsOf(dir, name).length),
      [1, 1, 1, 1]
    )
    for (const pid of [...pidsOf(dir, 'web'), ...pidsOf(dir, 'worker')]) {
      t.equal(realpathSync(`/proc/${pid}/exe`), realpathSync(join(root, 'node_modules/node/bin/node')), 'the pinned Node runs it')
    }
    t.equal((await fetch(`${welcome.address}/-/liveness`)).status, 200)
    const ready = await (await fetch(`${welcome.address}/-/readiness`)).json()
    t.match(
      await (await fetch(`${welcome.address}/users/sign_in`)).text(),
      '<title>Sign in · Tocsin</title>',
      'pages are written as in the sources'
    )
    t.hasStrict(ready, { status: 'ok', checks: { database: 'ok', queue: 'ok' }, queues: { errors: { workers: 1 } } })
  })

  t.test('the health checks of docker-compose.yml pass', async t => {
    t.same(await healthOf(place), [0, 0])
  })

  t.test('output of processes is prefixed with their names', async t => {
    const welcome = launch.output.slice(launch.output.indexOf('  Welcome'))
    const prefixed = launch.lines.filter(line => line !== '' && !welcome.includes(line))

    t.ok(prefixed.length > 0)
    t.same(
      prefixed.filter(line => !/^(web\.1|worker\.1|postgres) +\| /.test(line)),
      []
    )
  })

  t.test('started as root, Postgres runs as a separate user', { skip: process.getuid?.() !== 0 && 'this is not root' }, async t => {
    t.equal(statSync(join(dir, '..')).mode & 0o777, 0o700)
    t.not(statSync(join(dir, 'postgres')).uid, 0)
  })

  t.test('a second start on the same data is refused', async t => {
    const second = new Launch(place, { env: { PORT: '0' } })

    t.equal(await second.ended(), 1)
    t.match(second.errors, `Tocsin is already running on ${dir} (process ${launch.process.pid})`)
    t.equal((await fetch(`${welcome.address}/-/liveness`)).status, 200)
  })

  t.test('a killed process is restarted', async t => {
    const [worker] = pidsOf(dir, 'worker')

    process.kill(worker!, 'SIGKILL')
    await launch.says(/^worker\.1 +\| ended \(SIGKILL\); restarting in 0\.2 s$/m)
    await eventually(() => pidsOf(dir, 'worker').some(pid => pid !== worker), 'another worker', patience)
    t.ok(await anotherError())
  })

  for (const signal of ['SIGKILL', 'SIGQUIT'] as const) {
    t.test(`Postgres comes back after ${signal}, and everything with it`, async t => {
      const [server] = pidsOf(dir, 'postgres')

      process.kill(server!, signal)
      await launch.says(
        signal === 'SIGKILL' ? /^postgres +\| ended \(SIGKILL\); restarting/m : /^postgres +\| ended \(exit code \d\); restarting/m
      )
      t.ok(await eventually(isReady, 'it is ready again', patience))
      t.ok(await anotherError())
    })
  }

  t.test('SIGTERM stops web, workers and database in that order, and leaves no processes', async t => {
    launch.process.kill('SIGTERM')
    t.same(await orderOfEnd(), ['web', 'worker', 'postgres', 'launcher'])
    t.equal(await launch.ended(), 0)
    t.equal(launch.lines.at(-1), 'stopped')
    t.same(processesOn(dir), [])
    t.notOk(existsSync(join(dir, 'tocsin.pid')))
    t.same(await healthOf(place), [1, 1], 'as the health checks of docker-compose.yml tell as well')
  })
})

t.test('the next start keeps the data and prints no secrets', async t => {
  const launch = new Launch(place)

  await launch.ready()
  const again = readWelcome(launch.output)

  t.equal(again.dsn, welcome.dsn)
  t.notMatch(launch.output, welcome.token)
  t.notMatch(launch.output, welcome.password)

  t.ok(await anotherError(), 'the same DSN works')

  t.test('SIGINT stops everything, also when it is sent twice', async t => {
    // In a terminal one Ctrl-C reaches the launcher directly, and again through npm.
    launch.process.kill('SIGINT')
    await launch.says(/closing: SIGTERM/)
    launch.process.kill('SIGINT')
    t.equal(await launch.ended(), 0)
    t.match(launch.output, /worker\.1 .* finishing running jobs/)
    t.same(processesOn(dir), [])
  })
})

/** One more error goes in and can be read, as soon as the system can do that again. */
async function anotherError() {
  const count = async (): Promise<number> => (await errorsOf().catch(() => []))[0]?.event_count
  const before = await eventually(count, 'the errors can be read', patience)

  await eventually(() => shell(welcome.send.replace('curl', 'curl -sf')).catch(() => false), 'an error is taken', patience)

  return eventually(async () => (await count()) > before, 'it is stored', patience)
}

async function isReady() {
  return fetch(`${welcome.address}/-/readiness`).then(
    ({ ok }) => ok,
    () => false
  )
}

/** The processes that end, in order. Looks at the last first: one that ends between two looks must not seem to end before it. */
async function orderOfEnd() {
  const order: string[] = []
  const names = ['web', 'worker', 'postgres', 'launcher']

  await eventually(
    () => {
      const ended = names.toReversed().filter(name => !order.includes(name) && pidsOf(dir, name).length === 0)

      order.push(...ended.reverse())

      return order.length === names.length
    },
    'everything ends',
    40_000
  )

  return order
}
