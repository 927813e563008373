import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { Lane } from '../../src/platform/queue/lane.ts'

/** A lane into a queue that takes three milliseconds, and the batches that went into it. */
function aLane() {
  const batches: unknown[][] = []
  const limits = { items: 100, bytes: 1 << 20, ms: 1, memory: 1 << 20 }
  const lane = new Lane(limits, false, async items => {
    batches.push(items)
    await sleep(3)

    return {}
  })

  return { batches, add: (item: unknown) => lane.add(item, 1) }
}

t.test('requests that trickle in share batches, and keep their order', async t => {
  // A machine that is busy with something else may let a whole beat pass: then it is tried again.
  for (let attempt = 0; attempt < 10; attempt++) {
    const { batches, add } = aLane()
    const first = add(1)

    while (batches.length === 0) await setImmediate()
    const second = add(2)
    await first
    // The second could have left long before, and waits as others may come.
    await Promise.all([second, add(3)])
    t.same(batches.flat(), [1, 2, 3])
    if (batches.length === 2) return
  }
  t.fail('none shared a batch')
})

for (const count of [1, 2, 3]) {
  t.test(`${count} who each wait for their answers are not held back for others`, async t => {
    const { add } = aLane()
    const rounds = 20

    // The machine may be busy with something else; held back, it would take twenty milliseconds every time.
    for (let attempt = 0; attempt < 10; attempt++) {
      const begunAt = performance.now()

      await Promise.all(
        Array.from({ length: count }, async () => {
          for (let n = 0; n < rounds; n++) await add(n)
        })
      )
      if (performance.now() - begunAt < rounds * 15) return
    }
    t.fail('they were held back')
  })
}
