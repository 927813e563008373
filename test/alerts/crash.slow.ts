import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { startChild } from '../support/children.ts'
import { eventually, onBothBackends, type World } from '../support/world.ts'
import { openAlertedProject } from './alerting.ts'

const kills = 4
const titles = ['cpu', 'disk', 'net', 'memory', 'latency']

/** A worker in a process of its own, killed as soon as it has worked a while. */
async function killAWorker(t: Test, world: Pick<World, 'config'>, afterMs: number) {
  const worker = startChild(t, world, ['test/alerts/fixtures/worker.ts'])

  await once(worker, 'message')
  await sleep(afterMs)
  worker.kill('SIGKILL')
  await once(worker, 'exit')
}

onBothBackends(t, 'under load, whatever workers are killed, each alert that was taken is counted once', async (t, kind) => {
  const { send, worker, work, alerts, config } = await openAlertedProject(t, { kind, env: { BATCH_ITEMS: '10' } })
  const accepted: Record<string, number> = {}
  let numbers = new Map<string, number>()
  let isOver = false

  await worker.close(5000)
  const senders = titles.map(async title => {
    while (!isOver) {
      const responses = await Promise.all(Array.from({ length: 8 }, () => send({ title })))

      for (const response of responses) {
        t.ok([200, 202].includes(response.statusCode), `${response.statusCode}`)
        accepted[title] = (accepted[title] ?? 0) + 1
        if (response.statusCode === 200) numbers = numbers.set(title, response.json()[0].iid)
      }
    }
  })

  for (let n = 0; n < kills; n++) await killAWorker(t, { config }, 50 + n * 70)
  isOver = true
  await Promise.all(senders)
  await work('alerts', undefined, { lockMs: 1000 })

  const total = Object.values(accepted).reduce((sum, count) => sum + count, 0)
  await eventually(async () => (await alerts()).reduce((sum, { events }) => sum + events, 0) >= total, 'all are counted', 60_000)

  t.same(Object.fromEntries((await alerts()).map(({ title, events }) => [title, events])), accepted)
  t.same(
    (await alerts()).map(({ iid }) => iid),
    titles.map((_, n) => n + 1)
  )
  for (const { title, iid } of await alerts()) if (numbers.has(title)) t.equal(numbers.get(title), iid)
})
