import { once } from 'node:events'
import t from 'tap'
import { startChild } from '../support/children.ts'
import { eventually, onBothBackends } from '../support/world.ts'
import { changedOnce, someErrors } from './some-errors.ts'

const errors = 5000
const kills = 4

onBothBackends(t, '5,000 errors are changed once each, although workers are killed in between', async (t, kind) => {
  const world = await someErrors(t, errors, kind)
  const done = async () => Number((await world.task()).done)

  await world.bulk({ change: 'resolve' })
  for (let kill = 0; kill < kills; kill++) {
    const before = await done()
    const worker = startChild(t, world, ['workers/main.ts', 'maintenance'], { PORT: '0' })

    await eventually(async () => (await done()) > before, 'the worker goes on')
    worker.kill('SIGKILL')
    await once(worker, 'exit')
    t.ok((await done()) < errors, `${await done()} are done at kill ${kill}`)
  }

  await world.work('maintenance')
  await world.untilState('finished')
  t.equal(await world.numberOf(`error_groups WHERE status = 'resolved'`), errors)
  await changedOnce(t, world, errors)
})
