import { chmodSync, existsSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { Backoff } from '../../bin/backoff.js'
import { Child } from '../../bin/child.js'
import { eventually } from '../support/eventually.ts'

/** A child that runs a program of the test's own, and its output. */
function openChild(t: Test, start?: string) {
  const program = join(t.testdir(), 'program')
  const lines: string[] = []

  const noteStart = "() => process.getBuiltinModule('fs').appendFileSync(process.argv[1] + '.starts', 'x')"

  writeFileSync(program, `#!${process.execPath}\n${start ?? `process.send({ ready: true }, ${noteStart})`}\nsetInterval(() => {}, 1000)\n`)
  chmodSync(program, 0o755)
  const env = { ...process.env, NODE_OPTIONS: '' }
  const child = new Child('web.1', { file: program, env }, { write: (text: string) => void lines.push(text.trim()) })

  t.teardown(() => child.stop())

  return { child, program, lines }
}

t.test('a process that fails to restart is retried until it starts', async t => {
  const { child, program, lines } = openChild(t)

  await child.ready
  const pid = child.process?.pid
  renameSync(program, `${program}.away`)
  process.kill(pid!, 'SIGKILL')
  await eventually(() => lines.length >= 2, 'it is retried')
  renameSync(`${program}.away`, program)
  await eventually(() => child.process?.pid !== undefined && child.process.pid !== pid, 'it runs again')

  t.equal(lines[0], 'ended (SIGKILL); restarting in 0.2 s')
  t.equal(lines[1], `could not be started: spawn ${program} ENOENT; restarting in 0.4 s`)
})

t.test('a process that was ready before it died is restarted at once, however often', async t => {
  const { child, program, lines } = openChild(t)

  await child.ready
  for (let kills = 1; kills <= 3; kills++) {
    await eventually(() => existsSync(`${program}.starts`) && statSync(`${program}.starts`).size === kills, 'it is ready')
    child.process!.kill('SIGKILL')
    await eventually(() => lines.length === kills, 'it is restarted')
  }
  t.same(lines, Array(3).fill('ended (SIGKILL); restarting in 0.2 s'))
})

t.test('a frozen process is killed and started again; one that gives signs of life is left alone', async t => {
  const ready = 'process.send({ ready: true, silentMs: 2000 }); setInterval(() => process.send({ isAlive: true }), 100)'
  const { child, lines } = openChild(t, ready)

  await child.ready
  let signs = 0
  child.process!.on('message', () => signs++)
  await eventually(() => signs > 30, 'it has been seen for longer than it may be silent')
  t.same(lines, [])
  const pid = child.process!.pid!
  process.kill(pid, 'SIGSTOP')
  await eventually(() => lines.length === 2, 'it is killed')
  await eventually(() => child.process?.pid !== pid, 'another runs')

  t.same(lines, ['has not responded for 2 s; killing it', 'ended (SIGKILL); restarting in 0.2 s'])
})

t.test('a process that fails its first start is reported with the reason and not retried', async t => {
  const child = new Child('web.1', { file: '/nonexistent/program' }, { write: () => {} })

  await t.rejects(child.ready, { message: /^web\.1 did not start: it could not be started: .*ENOENT/ })
  await child.stop()
})

t.test('the delay between restarts doubles from 0.2 to 30 seconds', async t => {
  const backoff = new Backoff()

  t.same(
    Array.from({ length: 10 }, () => backoff.next()),
    [200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000]
  )
})

t.test('the delay is reset once a process has run for a minute', async t => {
  let now = 0
  const backoff = new Backoff(() => now)
  const delayAfter = (ms: number) => {
    backoff.started()
    now += ms

    return backoff.next()
  }

  t.same([1000, 60_000, 60_001, 0].map(delayAfter), [200, 400, 200, 400])
})
