import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { type EnvelopeJob, parseEnvelope } from '../../src/error-tracking/parse/parse-envelope.ts'
import { defaultRules } from '../../src/error-tracking/scrub/rules.ts'
import { storeTogether } from '../../src/error-tracking/store/batch-writer.ts'
import { anEnvelope, anEventId, anException, aProject } from '../support/factories.ts'

const limits = { inflated: 1 << 20, attachment: 1 << 20 }

t.test('batches that wait are stored together: each hears its own news, and none fails for another', async t => {
  const { platform, project, key, untilStored } = await aProject(t)
  const aBatch = async (type: string) => {
    const sent = { projectId: project.id, keyId: key.id, receivedAt: new Date().toISOString(), encoding: '' }
    const job: EnvelopeJob = { ...sent, id: anEventId(), body: Buffer.from(anEnvelope(anException(type))).toString('base64') }
    const findings = await parseEnvelope(job, { limits, rules: defaultRules, resolve: async (_id, event) => event })

    return { job, findings }
  }
  const batches = [await aBatch('A'), await aBatch('B'), await aBatch('C'), await aBatch('D')]

  // What Postgres takes for no text at all.
  batches[2]!.findings.events[0]!.occurrence.level = 'er\0ror'
  const outcomes = await Promise.allSettled(batches.map(({ job, findings }) => storeTogether(platform.fork(), [job], findings)))

  t.same(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'rejected', 'fulfilled']
  )
  for (const [n, outcome] of outcomes.entries())
    if (outcome.status === 'fulfilled') t.match(outcome.value, [{ kind: 'new', envelopeId: batches[n]!.job.id }])
  t.equal((await untilStored(3)).length, 3)

  batches[2]!.findings.events[0]!.occurrence.level = 'error'
  const again = await Promise.all(batches.map(({ job, findings }) => storeTogether(platform.fork(), [job], findings)))

  t.same(
    again.map(news => news.map(({ envelopeId }) => envelopeId)),
    batches.map(({ job }) => [job.id]),
    'worked again, each hears the same'
  )
  t.same(
    (await untilStored(4)).map(({ event_count }: { event_count: number }) => event_count),
    [1, 1, 1, 1]
  )
})

t.test('batches that trickle in share a transaction', async t => {
  const { platform, project, key } = await aProject(t)
  const sent = { projectId: project.id, keyId: key.id, receivedAt: new Date().toISOString(), encoding: '' }
  const store = async () => {
    const job: EnvelopeJob = { ...sent, id: anEventId(), body: Buffer.from(anEnvelope(anException('Trickling'))).toString('base64') }
    const findings = await parseEnvelope(job, { limits, rules: defaultRules, resolve: async (_id, event) => event })

    return storeTogether(platform.fork(), [job], findings)
  }
  const transactions = async () =>
    (await platform.pool.query('SELECT DISTINCT xmin::text FROM error_events WHERE project_id = $1', [project.id])).rows.length

  // One that takes longer than a beat lets the next begin at once: then it is tried again.
  for (let round = 1; round <= 20; round++) {
    const before = await transactions()

    await store()
    const second = store()
    await setImmediate()
    await Promise.all([second, store()])
    if ((await transactions()) === before + 2) return
  }
  t.fail('what comes within a beat never shared one')
})
