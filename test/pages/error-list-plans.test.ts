import type pg from 'pg'
import t from 'tap'
import { explain, recordReads, type Statement } from '../support/plans.ts'
import { openApp } from '../support/world.ts'
import { Visitor } from './visitor.ts'

const groups = 6000
const shown = 25
/** A search that no index has in list order compares so many errors, however many a project has. */
const compared = 1000

/** The views above the list and its sort orders: the number of errors that a statement may read. */
const searches: Record<string, number> = {
  '': shown + 1,
  'sort=first_seen': shown + 1,
  'sort=event_count': shown + 1,
  'sort=user_count': shown + 1,
  'query=is:resolved': shown + 1,
  'query=is:ignored': shown + 1,
  // Each status on its own, because the indexes begin with it.
  'query=': 3 * (shown + 1),
  'query=is:unresolved is:regressed': shown + 1,
  'query=is:unresolved assigned:me': shown + 1,
  'query=is:unresolved is:new': compared
}

t.test('no statement of the ten commonest searches reads much more than the list shows', async t => {
  const { app, call, platform } = await openApp(t)
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })
  const visitor = new Visitor(app)
  const reads = recordReads(t)

  await fill(platform.pool, project.id)
  await visitor.signIn()
  for (const [search, maxRows] of Object.entries(searches)) {
    const url = `/projects/${project.id}/errors?${search}`
    const statements = await reads(async () => {
      const { body } = await visitor.get(url)

      t.equal(body.match(/<li data-row/g)?.length, shown, `${search} fills a page`)
    })

    t.ok(statements.length > 5, 'the statements were recorded')
    for (const statement of statements) {
      for (const { kind, table, rows } of await errorScans(platform.pool, statement)) {
        // Of an empty table, a scan is the cheapest plan.
        t.ok(kind !== 'Seq Scan' || rows === 0, `${search} does not read all of ${table}`)
        t.ok(rows <= (table === 'error_groups' && !isCount(statement) ? maxRows : compared), `${search} reads ${rows} rows of ${table}`)
      }
    }
  }
})

/** The counts on the tabs read no more than they count. */
function isCount({ text }: Statement) {
  return text.includes('AS counts')
}

/** The tables that grow with the errors of a project. */
async function errorScans(pool: pg.Pool, statement: Statement) {
  return (await explain(pool, statement)).filter(({ table }) => /^error_(groups|events|tallies|traits|tags|searches)/.test(table))
}

/** Every seventh error is resolved and every eleventh ignored, and each condition of the searches holds for some hundred. */
async function fill(pool: pg.Pool, projectId: number) {
  await pool.query(
    `INSERT INTO error_groups (project_id, name, description, actor, level, status, events, users, assignee_id, regressed_at, environments,
       first_seen_at, last_seen_at)
     SELECT $1, 'Error', 'e' || n, 'pay', 'error', CASE WHEN n % 7 = 0 THEN 'resolved' WHEN n % 11 = 0 THEN 'ignored' ELSE 'unresolved' END,
       n % 900 + 1, n % 90, CASE WHEN n % 30 = 1 THEN 1 END, CASE WHEN n % 30 = 2 THEN now() END, '{production}',
       now() - CASE WHEN n % 20 = 3 THEN interval '1 hour' ELSE interval '30 days' END, now() - n * interval '1 second'
     FROM generate_series(1, ${groups}) n`,
    [projectId]
  )
  await pool.query(
    `INSERT INTO error_hourly_counts (project_id, group_id, hour, events)
     SELECT project_id, id, date_trunc('hour', now()) - n * interval '1 hour', 1 FROM error_groups, generate_series(0, 11) n WHERE project_id = $1`,
    [projectId]
  )
  await pool.query('ANALYZE error_groups, error_hourly_counts, error_traits, error_searches, error_tags')
}
