import t from 'tap'
import { createPartition } from '#errors/store/partition-store.ts'
import { aMember } from '../pages/a-member.ts'
import { Visitor } from '../pages/visitor.ts'
import { eventually, onBothBackends, openApp } from '../support/world.ts'
import { oneStep } from './one-step.ts'

const events = 12_000
const large = ['error_events', 'error_hourly_counts', 'error_stored_counts']

onBothBackends(t, 'what a deleted project leaves is deleted in steps, and the page of its author says how far it is', async (t, kind) => {
  const { app, call, platform, work } = await openApp(t, { kind })
  const { pool } = platform
  const root = new Visitor(app)
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })
  const { body: other } = await call('POST', '/projects', { name: 'Other' })
  const eve = await aMember({ app, call }, 'eve')
  const left = async (id: number) =>
    Promise.all(
      large.map(async table => Number((await pool.query(`SELECT count(*) FROM ${table} WHERE project_id = $1`, [id])).rows[0].count))
    )
  const task = async () => (await pool.query(`SELECT * FROM tasks WHERE kind = 'projects.purge'`)).rows[0]

  await createPartition(platform.fork(), new Date().toISOString().slice(0, 10))
  for (const { id } of [project, other]) {
    const params = [id, id === other.id ? 10 : events]

    await pool.query(
      `INSERT INTO error_events (project_id, group_id, event_id, day, occurred_at, received_at, level, payload)
       SELECT $1, 1, gen_random_uuid(), (now() AT TIME ZONE 'UTC')::date, now(), now(), 'error', '' FROM generate_series(1, $2) n`,
      params
    )
    await pool.query(
      `INSERT INTO error_hourly_counts (project_id, group_id, hour, events)
       SELECT $1, 1, date_trunc('hour', now()) - n * interval '1 hour', 1 FROM generate_series(1, $2) n`,
      params
    )
    await pool.query(`INSERT INTO error_stored_counts (project_id, day, category, items) VALUES ($1, now(), 'error', $2)`, params)
  }
  await root.signIn()
  t.notMatch((await root.get('/projects')).body, 'id="tasks"', 'nothing is shown where nothing goes on')
  t.equal((await call('DELETE', `/projects/${project.id}`)).status, 202)
  t.hasStrict(await task(), { state: 'waiting', title: 'Deleting the data of Shop', total: events, project_id: null })
  t.match(
    (await root.get('/projects')).body,
    /data-topics="tasks:mine"[\s\S]+<strong>Deleting the data of Shop<[\s\S]+<progress max="12000" value="0"/
  )
  t.notMatch((await eve.get('/projects')).body, 'Deleting the data')

  await oneStep(t, platform, await task())
  t.match((await root.get('/projects')).body, /<progress max="12000" value="5000"[\s\S]+5,000 of 12,000/)
  t.same((await left(project.id))[0], events - 5000)

  await work('maintenance')
  await eventually(async () => (await task()).state === 'finished', 'it is finished')
  t.hasStrict(await task(), { done: events, total: events, failure: null })
  t.same(await left(project.id), [0, 0, 0])
  t.same(await left(other.id), [10, 10, 1], 'others keep theirs')
  t.match((await root.get('/projects')).body, /Deleting the data of Shop<[\s\S]+Finished <time[^>]+>just now<\/time>, 12,000 in total</)
})
