import t from 'tap'
import { Lane } from '#platform/queue/lane.ts'

t.test('while one batch is enqueued, the next one fills, and a partial batch is sent once the lane is free', async t => {
  const batches: unknown[][] = []
  const sending: (() => void)[] = []
  const idle = Promise.withResolvers<void>()
  const send = (items: unknown[]) => {
    batches.push(items)
    return new Promise<object>(resolve => sending.push(() => resolve({})))
  }
  const lane = new Lane({ items: 3, bytes: 1 << 20, ms: 1, memory: 1 << 20 }, send, idle.resolve)
  const added = [1, 2, 3, 4, 5, 6, 7].map(item => lane.add(item, 1))

  t.same(batches, [[1, 2, 3]])
  for (const count of [1, 2, 3]) {
    while (batches.length < count) await new Promise(resolve => setImmediate(resolve))
    sending[count - 1]!()
  }
  await Promise.all(added)
  t.same(batches, [[1, 2, 3], [4, 5, 6], [7]])
  await idle.promise
})
