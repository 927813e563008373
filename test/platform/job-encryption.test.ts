import t, { type Test } from 'tap'
import Type from 'typebox'
import { buildApp } from '#app.ts'
import { deriveKey } from '#platform/database/encryption.ts'
import { handle } from '#platform/queue/handler.ts'
import { Bytes, defineJob, InvalidPayload } from '#platform/queue/job.ts'
import { JobCipher, jobKey } from '#platform/queue/job-cipher.ts'
import { seedInstallation } from '#seed-installation.ts'
import { eventually, newNamespace, onBothBackends, type QueueKind, rootToken, type WorldOptions } from '../support/world.ts'
import { openWorkshop } from './workshop.ts'

const secret = 'hunter22-of-ann'
const Parcel = Type.Object({ projectId: Type.Integer(), text: Type.String(), body: Bytes })
const deliver = defineJob({ name: 'work.deliver', queue: 'work', item: Parcel, binary: 'body', attempts: 3 })
const parcel = { projectId: 7, text: secret, body: Buffer.from(secret) }
const patience = { BATCH_MS: '1' }

async function openPostOffice(t: Test, kind: QueueKind, options: WorldOptions = {}) {
  const office = await openWorkshop(t, kind, { env: patience, ...options })
  const delivered: unknown[] = []
  const begin = (run = async (items: unknown[]) => void delivered.push(...items)) => office.work('work', [handle(deliver, run)])

  return { ...office, delivered, begin }
}

onBothBackends(t, 'items are encrypted while they wait and after they fail, and reach the handler unchanged', async (t, kind) => {
  const { queues, queue, begin, failed, delivered } = await openPostOffice(t, kind)
  let isBroken = true

  await queues.enqueue(deliver, parcel)
  const [waiting] = await queue.getWaiting()

  t.notMatch(stored(waiting), secret)
  t.notMatch(stored(waiting), parcel.body.toString('base64'))
  t.hasStrict(waiting!.data, { count: 1, projects: [7] })
  t.match(waiting!.data.sealed, /^[\w+/]{60,}={0,2}$/)

  await begin(async items => {
    if (isBroken) throw new InvalidPayload('it is broken')
    delivered.push(...items)
  })
  const [job] = await failed(1, 30_000)

  t.notMatch(stored(job), secret)
  isBroken = false
  await job!.retry()
  await eventually(() => delivered.length > 0, 'the retried job is delivered')
  t.same(delivered, [parcel])
})

onBothBackends(t, 'jobs that an earlier release enqueued in plain form are processed', async (t, kind) => {
  const { queue, begin, delivered } = await openPostOffice(t, kind)

  await queue.add(deliver.name, { items: [{ ...parcel, body: parcel.body.toString('base64') }] })
  await begin()
  await eventually(() => delivered.length > 0, 'it is delivered')

  t.same(delivered, [parcel])
})

onBothBackends(
  t,
  'a job of another SECRET_KEY stays in the queue with all its attempts, and is processed after the key is restored',
  async (t, kind) => {
    const env = { ...patience, SECRET_KEY: 'the key of this installation, for tests' }
    const former = { ...patience, SECRET_KEY: 'the former key of it, also for the tests' }
    const namespace = newNamespace()
    const office = await openPostOffice(t, kind, { env: former, namespace })

    await office.queues.enqueue(deliver, parcel)
    await office.platform.pool.query('DELETE FROM secret_key')
    const rotated = await openPostOffice(t, kind, { env, namespace })
    const worker = await rotated.begin()
    const [job] = await eventually(async () => {
      const delayed = await rotated.queue.getDelayed()

      return delayed.length > 0 ? delayed : undefined
    }, 'it is delayed')

    t.hasStrict(await rotated.counts(), { delayed: 1, failed: 0, completed: 0 })
    t.equal(job!.attemptsMade, 0)
    t.same(rotated.delivered, [])

    await worker.close(5000)
    await office.begin()
    await job!.promote()
    await eventually(() => office.delivered.length > 0, 'it is delivered')
    t.same(office.delivered, [parcel])
  }
)

onBothBackends(t, 'the stored errors of a failed job hold no secrets of its items', async (t, kind) => {
  const { queues, begin, failed } = await openPostOffice(t, kind)

  await queues.enqueue(deliver, parcel, { attempts: 1 })
  await begin(async () => {
    throw new Error(`the parcel\0 {"password":"${secret}"} cannot be sent to https://ann:${secret}@x.test/`)
  })
  const [job] = await failed()

  t.equal(job!.failedReason, 'the parcel {"password":"[Filtered]"} cannot be sent to https://ann:[Filtered]@x.test/')
  t.match(job!.stacktrace![0], /^Error: the parcel \{"password":"\[Filtered\]"\} .*\n +at /)
  t.notMatch(stored(job), secret)
})

onBothBackends(t, 'the reason of an item that was moved out of its batch holds no secrets', async (t, kind) => {
  const { queues, work, failed } = await openPostOffice(t, kind)
  const deliverMany = defineJob({ ...deliver, name: 'work.deliver-many', batched: true, attempts: 1, key: undefined })

  await queues.enqueueBatch(deliverMany, 'work', [parcel, { ...parcel, text: 'fine' }])
  await work('work', [
    handle(deliverMany, async items => {
      if (items.some(({ text }) => text === secret)) throw new Error(`refused: password=${secret}`)
    })
  ])
  const [job] = await failed()

  t.equal(job!.data.reason, 'refused: password=[Filtered]')
  t.same(queues.itemsOf(job!, 'body'), [parcel])
  t.notMatch(stored(job), secret)
})

t.test('encrypted items open only for the job that they were encrypted for', async t => {
  const cipher = new JobCipher(await deriveKey({ secretKey: 'a key that is used in this test', dataDir: t.testdir() }, jobKey))
  const data = cipher.seal(deliver, 'one', [parcel])

  t.same(cipher.open({ name: deliver.name, id: 'one', data }, 'body'), [parcel])
  t.throws(() => cipher.open({ name: deliver.name, id: 'two', data }, 'body'), { name: 'UnknownKey' })
  t.throws(() => cipher.open({ name: 'work.burn', id: 'one', data }, 'body'), { name: 'UnknownKey' })
  t.not(cipher.seal(deliver, 'one', [parcel]).sealed, data.sealed)
})

onBothBackends(t, 'the dashboard shows the number and the projects of the items, and not the items', async (t, kind) => {
  const { platform, queues, queue } = await openPostOffice(t, kind)

  await seedInstallation(platform)
  const app = await buildApp(platform)

  t.teardown(() => app.close())
  await queues.enqueue(deliver, parcel)
  await queue.add(deliver.name, { items: [{ ...parcel, body: parcel.body.toString('base64') }] })
  const url = '/admin/queues/board/api/queues?activeQueue=work&status=waiting&page=1&jobsPerPage=10'
  const { body } = await app.inject({ url, headers: { 'private-token': rootToken } })
  const [shown] = JSON.parse(body).queues

  t.same(
    shown.jobs.map((job: { data: unknown }) => job.data),
    [
      { items: 1, projects: [7] },
      { items: 1, projects: [7] }
    ]
  )
  t.notMatch(body, secret)
})

/** All that is stored of a job. */
function stored(job: { asJSON: () => unknown } | undefined) {
  return JSON.stringify(job!.asJSON())
}
