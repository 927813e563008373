import type { Test } from 'tap'
import { Visitor } from '../pages/visitor.ts'
import { eventually, openApp, type QueueKind } from '../support/world.ts'

/** A project with this many unresolved errors, the admin's browser, and what became of the errors. */
export async function someErrors(t: Test, errors: number, kind: QueueKind = 'postgres') {
  const world = await openApp(t, { kind })
  const { app, call, platform } = world
  const visitor = new Visitor(app)
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })
  const url = `/projects/${project.id}/errors`
  const query = async <Row>(sql: string) => (await platform.pool.query(sql.replaceAll('$project', project.id))).rows as Row[]
  const task = async () => (await query<TaskRow>('SELECT * FROM tasks ORDER BY id DESC LIMIT 1'))[0]!

  await visitor.signIn()
  await addErrors(errors)

  return {
    ...world,
    project,
    visitor,
    url,
    query,
    task,
    addErrors,
    numberOf: async (what: string) => Number((await query<{ count: string }>(`SELECT count(*) FROM ${what}`))[0]!.count),
    page: async () => (await visitor.get(url)).body,
    bulk: (fields: Record<string, string>) => visitor.post(`${url}/bulk`, { all: '1', query: 'is:unresolved', ...fields }),
    untilState: (state: string) => eventually(async () => (await task()).state === state, `the task is ${state}`, 120_000)
  }

  async function addErrors(count: number) {
    await query(
      `INSERT INTO error_groups (project_id, name, description, actor, level, events, first_seen_at, last_seen_at)
       SELECT $project, 'Error' || n, 'it broke', 'main', 'error', 1, now() - n * interval '1 second', now() - n * interval '1 second'
       FROM generate_series(1, ${count}) n`
    )
  }
}

interface TaskRow {
  id: number
  state: string
  done: number
  total: number | null
  failures: number
  failure: string | null
  run: number
}

/** All of the first errors have one entry each in the histories. */
export async function changedOnce(t: Test, { query }: Pick<Awaited<ReturnType<typeof someErrors>>, 'query'>, errors: number) {
  const audited = `SELECT (details->>'fingerprint')::bigint AS id FROM audit_events WHERE name = 'error_updated'`
  const active = `SELECT target_id AS id FROM activity_events WHERE target_type = 'Error' AND action = 'closed'`

  for (const history of [audited, active]) {
    const [row] = await query<Record<string, string>>(`SELECT count(*) AS entries, count(DISTINCT id) AS errors FROM (${history}) h`)

    t.same(row, { entries: errors, errors }, history)
  }
}
