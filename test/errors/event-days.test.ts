import { randomUUID } from 'node:crypto'
import { zstdCompressSync } from 'node:zlib'
import t from 'tap'
import { maxFutureMs, maxPastMs } from '#errors/normalise/time.ts'
import { createPartition } from '#errors/store/partition-store.ts'
import { anEnvelope, anException, openProject } from '../support/factories.ts'

const day = 86_400_000

t.test('events are sorted by their time, not by their arrival', async t => {
  const { platform, project, send, untilStored, call, path } = await openProject(t)

  await send(anEnvelope(anException()))
  const [{ fingerprint }] = await untilStored(1)
  const now = Date.now()
  const payload = zstdCompressSync('{"message":"m"}')
  const events = Array.from({ length: 120 }, (_, n) => {
    const received = now - ((n * 7) % 60) * day - n * 1000
    // Most came at once; some long after they happened, some from a clock that is ahead.
    const late = n % 3 === 0 ? (n % 2 === 0 ? maxPastMs - 1000 : 9 * day) : n % 7 === 0 ? -maxFutureMs + 1000 : 0

    return { id: randomUUID(), received: new Date(received), occurred: new Date(received - late) }
  })

  for (const ago of Array(61).keys()) await createPartition(platform.fork(), new Date(now - ago * day).toISOString().slice(0, 10))
  for (const { id, received, occurred } of events)
    await platform.pool.query(
      `INSERT INTO error_events (project_id, group_id, event_id, day, occurred_at, received_at, level, payload)
       SELECT $1, id, $2, ($3::timestamptz AT TIME ZONE 'UTC')::date, $4, $3, 'error', $5 FROM error_groups WHERE project_id = $1`,
      [project.id, id, received, occurred, payload]
    )
  await platform.pool.query(
    `UPDATE error_groups g SET first_seen_at = first, last_seen_at = last
     FROM (SELECT min(occurred_at) AS first, max(occurred_at) AS last FROM error_events WHERE project_id = $1) e WHERE g.project_id = $1`,
    [project.id]
  )
  const { rows } = await platform.pool.query('SELECT event_id FROM error_events WHERE project_id = $1 ORDER BY occurred_at, event_id', [
    project.id
  ])
  const ascending = rows.map(({ event_id }) => event_id.replaceAll('-', ''))
  const all = async (sort: string, perPage: number) => {
    const ids: string[] = []
    let url: string | undefined = `${path}/errors/${fingerprint}/events?sort=${sort}&per_page=${perPage}`

    while (url) {
      const { body, headers } = await call('GET', url)

      ids.push(...body.map((event: { event_id: string }) => event.event_id))
      url = /<[^>]*\/api\/v4([^>]+)>; rel="next"/.exec(String(headers.link ?? ''))?.[1]
    }

    return ids
  }

  for (const perPage of [1, 7, 100]) {
    t.same(await all('occurred_at_asc', perPage), ascending, `oldest first, ${perPage} a page`)
    t.same(await all('occurred_at_desc', perPage), ascending.toReversed(), `newest first, ${perPage} a page`)
  }
  t.hasStrict((await call('GET', `${path}/errors/${fingerprint}/events/latest`)).body, { event_id: ascending.at(-1) })
  t.hasStrict((await call('GET', `${path}/errors/${fingerprint}/events/oldest`)).body, {
    event_id: ascending[0],
    next_event_id: ascending[1]
  })
})

t.test('tags are counted in the latest events by time, not by arrival', async t => {
  const { platform, project, send, untilStored, call, path } = await openProject(t)

  await send(anEnvelope(anException()))
  const [{ fingerprint }] = await untilStored(1)

  for (const ago of Array(61).keys()) await createPartition(platform.fork(), new Date(Date.now() - ago * day).toISOString().slice(0, 10))
  // Fifty a day for sixty days; each seventh happened long before it came in.
  await platform.pool.query(
    `INSERT INTO error_events (project_id, group_id, event_id, day, occurred_at, received_at, level, payload, tags)
     SELECT $1, g.id, gen_random_uuid(), (received AT TIME ZONE 'UTC')::date, received - CASE WHEN n % 7 = 0 THEN interval '20 days' ELSE '0' END,
       received, 'error', '', ARRAY['week=' || n / 350]
     FROM error_groups g, generate_series(0, 2999) n, LATERAL (SELECT now() - n * interval '1 day' / 50 AS received) times
     WHERE g.project_id = $1`,
    [project.id]
  )
  await platform.pool.query(
    `UPDATE error_groups g SET first_seen_at = first, last_seen_at = last, events = n
     FROM (SELECT min(occurred_at) AS first, max(occurred_at) AS last, count(*) AS n FROM error_events) e WHERE g.project_id = $1`,
    [project.id]
  )
  const { rows } = await platform.pool.query(
    `SELECT tag AS value, count(*)::int AS count
     FROM (SELECT tags FROM error_events ORDER BY occurred_at DESC, event_id DESC LIMIT 1000) latest, unnest(tags) AS tag
     WHERE tag LIKE 'week=%' GROUP BY 1 ORDER BY 2 DESC, 1`
  )
  const { body } = await call('GET', `${path}/errors/${fingerprint}/tags`)
  const weeks = body.find(({ key }: { key: string }) => key === 'week')

  t.same(
    weeks.values.map(({ value, count }: { value: string; count: number }) => ({ value: `week=${value}`, count })),
    rows
  )
  t.ok(rows.length > 3, 'they spread over some weeks')
})
