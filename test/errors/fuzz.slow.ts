import t from 'tap'
import { parseEventId, splitEnvelope } from '#errors/parse/envelope.ts'
import { inflate } from '#lib/inflate.ts'
import { openProject } from '../support/factories.ts'
import fc, { seed } from '../support/properties.ts'
import { eventually, onBothBackends } from '../support/world.ts'
import { anySending, type Sending } from './fuzz-envelopes.ts'

/** `FUZZ_ENVELOPES=100000` for a longer look. */
const envelopes = Number(process.env.FUZZ_ENVELOPES ?? 600)
const together = 20
const slice = 2000
const statuses = [200, 400, 401, 403, 413]
const memory = 400 << 20

onBothBackends(t, 'no envelope brings down the door or the worker, and the good items of each are stored', async (t, kind) => {
  t.setTimeout(7_200_000)
  const { app, intake, key, platform, project } = await openProject(t, { kind, env: { QUEUE_LIMIT: '1000000' } })
  const base = intake.replace(/envelope\/$/, '')
  const expected = { items: 0, refused: 0 }
  const peak = watchMemory(t)

  for (let done = 0; done < envelopes / 2; done += slice) {
    const accepted: Sending[] = []
    const numRuns = Math.ceil(Math.min(slice, envelopes / 2 - done) / together)

    await fc.assert(
      fc.asyncProperty(fc.array(anySending, { minLength: together, maxLength: together }), async sendings => {
        await Promise.all(sendings.map(sending => send(sending, accepted)))
      }),
      { numRuns, seed: seed + done, endOnFailure: true }
    )
    await settled()
    const missing = await missingOf(accepted)

    t.same(missing.map(describe), [], `the good items of ${accepted.length} envelopes are stored`)
  }
  t.same(await counted(), expected, 'what came is what was kept or dropped')
  t.ok(peak() < memory, `memory grew by ${peak() >> 20} MiB`)

  async function send(sending: Sending, taken: Sending[]) {
    const { path, headers, body } = sending
    const response = await app.inject({ method: 'POST', url: `${base}${path}?sentry_key=${key.public_key}`, headers, payload: body })
    const { statusCode: status } = response

    if (!statuses.includes(status)) throw new Error(`${status}: ${response.body}\n${describe(sending)}`)
    if (status === 200) {
      const items = await itemsOf(sending)

      expected.items += items
      taken.push(sending)
    } else {
      const { detail, causes } = response.json()

      if (typeof detail !== 'string' || !Array.isArray(causes)) throw new Error(`an error of another shape: ${response.body}`)
      // Without a key it belongs to no project.
      if (status !== 401 && status !== 403) expected.refused++
      if (sending.good.length > 0 && !(await hasTooMuch(sending)) && !(await hasInvalidId(sending)))
        throw new Error(`refused with good items: ${response.body}\n${describe(sending)}`)
    }
  }

  async function settled() {
    await eventually(
      async () => {
        const { waiting = 0, prioritized = 0, active = 0, delayed = 0, failed = 0 } = await platform.queues.get('errors').getJobCounts()

        if (failed > 0) throw new Error(`${failed} batches failed`)
        return waiting + prioritized + active + delayed === 0
      },
      'all is worked',
      600_000
    )
  }

  async function missingOf(sendings: Sending[]) {
    const good = sendings.flatMap(({ good }) => good)
    const ids = (kind: string) => good.filter(each => each.kind === kind).map(({ id }) => id)
    const { rows } = await platform.pool.query(
      `SELECT replace(event_id::text, '-', '') AS id FROM error_events WHERE event_id = ANY ($1::uuid[])
       UNION ALL SELECT comments FROM error_feedback WHERE comments = ANY ($2)`,
      [ids('event'), ids('feedback')]
    )
    const found = new Set(rows.map(({ id }) => id))

    return sendings.filter(({ good }) => good.some(({ id }) => !found.has(id)))
  }

  async function counted() {
    // What the door still holds of its counts is written when it closes.
    await app.close()
    const { rows } = await platform.pool.query(
      `SELECT coalesce(sum(items) FILTER (WHERE NOT is_refused), 0)::int AS items, coalesce(sum(items) FILTER (WHERE is_refused), 0)::int AS refused
       FROM (SELECT items, false AS is_refused FROM error_stored_counts WHERE project_id = $1
             UNION ALL SELECT items, category = 'envelope' AND reason IN ('invalid', 'too_large') FROM error_dropped_counts WHERE project_id = $1) counts`,
      [project.id]
    )

    return rows[0]
  }
})

/** The number of items that the worker finds, at least one. */
async function itemsOf(sending: Sending) {
  return (await split(sending))?.length ?? 1
}

/** More of one type than any envelope may hold, of which none is taken then: of these, the garbage is now and then as large. */
async function hasTooMuch(sending: Sending) {
  const reports = (await split(sending))?.filter(({ type }) => type === 'client_report') ?? []

  return reports.reduce((sum, { payload }) => sum + payload.length, 0) > 102_400
}

/** An event whose id is not a UUID: the whole envelope is refused, so that its sender learns of it. */
async function hasInvalidId(sending: Sending) {
  const items = (await split(sending)) ?? []

  return items.some(({ payload }) => {
    try {
      const { event_id: id } = JSON.parse(payload.toString('utf8'))

      return id !== undefined && id !== null && !parseEventId(id)
    } catch {
      return false
    }
  })
}

async function split({ path, headers, body }: Sending) {
  if (path !== 'envelope/' && headers['content-type'] !== 'application/x-sentry-envelope') return undefined

  try {
    return splitEnvelope(await inflate(body, headers['content-encoding'] ?? '', 200 << 20)).items
  } catch {
    return undefined
  }
}

function watchMemory(t: Parameters<typeof openProject>[0]) {
  const before = process.memoryUsage().rss
  let peak = before
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss)
  }, 50)

  t.teardown(() => clearInterval(timer))

  return () => peak - before
}

function describe({ path, headers, body }: Sending) {
  return `${path} ${JSON.stringify(headers)} ${body.toString('latin1').slice(0, 2000)}`
}
