import { spawn } from 'node:child_process'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { eventually } from '../support/world.ts'
import { Launch, openPlace, pidsOf, processesOn, readWelcome, shell } from './launcher.ts'

const place = await openPlace(t)
const { dir } = place
const first = new Launch(place)

await first.ready()
const { send, list } = readWelcome(first.output)
const errorCount = async () => JSON.parse(await shell(list))[0]?.event_count
const patience = 40_000

await shell(send)
await eventually(async () => (await errorCount()) === 1, 'the first error is stored', patience)

t.test('after a kill -9 of all processes the next start works and keeps the data', async t => {
  for (const { pid } of processesOn(dir)) kill(pid)
  await eventually(() => processesOn(dir).length === 0, 'everything has ended')
  giveNumberAway(t)

  const launch = new Launch(place)

  await launch.ready()
  t.equal(await errorCount(), 1)

  t.test('after a kill -9 of the launcher its children stop by themselves', async t => {
    const [server] = pidsOf(dir, 'postgres')

    launch.process.kill('SIGKILL')
    await eventually(() => pidsOf(dir, 'web').length + pidsOf(dir, 'worker').length === 0, 'the children have ended', patience)
    t.same(pidsOf(dir, 'postgres'), [server])
  })
})

t.test('the next start stops the orphaned Postgres, and works', async t => {
  const [left] = pidsOf(dir, 'postgres')
  const launch = new Launch(place)

  await launch.ready()
  t.not(pidsOf(dir, 'postgres')[0], left)
  t.equal(pidsOf(dir, 'postgres').length, 1)

  await shell(send)
  await eventually(async () => (await errorCount()) === 2, 'another error is stored', patience)

  t.test('a start while orphaned children still stop works as well', async t => {
    launch.process.kill('SIGKILL')
    const next = new Launch(place)

    await next.ready()
    t.same(
      ['launcher', 'web', 'worker', 'postgres'].map(name => pidsOf(dir, name).length),
      [1, 1, 1, 1]
    )
    t.equal(await errorCount(), 2)
    t.equal(await next.ended('SIGTERM'), 0)
  })
})

t.test('stopping during the start leaves no processes', async t => {
  const launch = new Launch(place)

  await eventually(() => pidsOf(dir, 'postgres').length > 0, 'Postgres begins to start')
  t.equal(await launch.ended('SIGTERM'), 0)
  t.same(processesOn(dir), [])
  t.notMatch(launch.output, /^ready/m)
})

/** What the locks of the dead server name is something else by now, of the same user. */
function giveNumberAway(t: Test) {
  const { uid, gid } = statSync(join(dir, 'postgres'))
  const other = spawn('sleep', ['100'], { uid, gid, cwd: '/' })

  t.teardown(() => other.kill())
  for (const name of ['postmaster.pid', '.s.PGSQL.5432.lock']) {
    const lock = join(dir, 'postgres', name)

    writeFileSync(lock, readFileSync(lock, 'utf8').replace(/^\d+/, String(other.pid)))
  }
}

function kill(pid: number) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It ended with its parent.
  }
}
