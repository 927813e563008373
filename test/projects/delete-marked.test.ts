import t from 'tap'
import { deleteDue } from '#projects/deletion/delete-due.ts'
import { deleteMarked } from '#projects/deletion/jobs.ts'
import { hasExactly } from '../support/has-exactly.ts'
import { eventually, onBothBackends } from '../support/world.ts'
import { ageMarks, delayDeletions, openMarkableGroup } from './marking.ts'

onBothBackends(t, 'what was marked for the period is deleted by a job, the rest stays', async (t, kind) => {
  const world = await openMarkableGroup(t, { kind })
  const { call, platform, work, top, sub, upper, lower } = world
  const { body: due } = await call('POST', '/projects', { name: 'Due' })
  const { body: early } = await call('POST', '/projects', { name: 'Early' })
  const { body: restored } = await call('POST', '/projects', { name: 'Restored' })
  const status = async (url: string) => (await call('GET', url)).status

  for (const { id } of [due, restored]) await call('DELETE', `/projects/${id}`)
  await call('DELETE', `/groups/${top.id}`)
  await ageMarks(world, 7)
  await call('DELETE', `/projects/${early.id}`)
  await call('POST', `/projects/${restored.id}/restore`)
  await work('maintenance')
  await platform.queues.enqueue(deleteMarked, {})
  await eventually(async () => (await status(`/projects/${due.id}`)) === 404, 'the job is done')
  for (const url of [`/groups/${top.id}`, `/groups/${sub.id}`, `/projects/${upper.id}`, `/projects/${lower.id}`]) {
    t.equal(await status(url), 404, url)
  }
  for (const { id } of [early, restored]) t.equal(await status(`/projects/${id}`), 200)
  const { rows } = await platform.pool.query(
    `SELECT name, entity_id::int AS id FROM audit_events WHERE name LIKE '%_deleted' ORDER BY name`
  )

  hasExactly(t, rows, [
    { name: 'group_deleted', id: top.id },
    { name: 'project_deleted', id: due.id }
  ])
})

t.test('a project of a marked group is not deleted before its group, and a shorter period counts at once', async t => {
  const world = await openMarkableGroup(t)
  const { call, platform, top, upper } = world
  const run = (signal = new AbortController().signal) => deleteDue({ ...platform, fork: platform.fork, signal }, new Date())
  const status = async () => [(await call('GET', `/groups/${top.id}`)).status, (await call('GET', `/projects/${upper.id}`)).status]

  await call('DELETE', `/groups/${top.id}`)
  await ageMarks(world, 3)
  await run()
  t.same(await status(), [200, 200])
  await delayDeletions(call, 3)
  await run(AbortSignal.abort())
  t.same(await status(), [200, 200], 'a run that is cut off does nothing more')
  for (const _ of [1, 2]) await run()
  t.same(await status(), [404, 404])
})

t.test('one that cannot be deleted does not hold up the others, and the next run tries again', async t => {
  const world = await openMarkableGroup(t)
  const { call, platform, upper, lower } = world
  const { pool } = platform
  const run = () => deleteDue({ ...platform, fork: platform.fork, signal: new AbortController().signal }, new Date())
  const status = async (id: number) => (await call('GET', `/projects/${id}`)).status

  for (const { id } of [upper, lower]) await call('DELETE', `/projects/${id}`)
  await ageMarks(world, 8)
  await pool.query('CREATE TABLE blockers (project_id bigint REFERENCES projects)')
  await pool.query('INSERT INTO blockers VALUES ($1)', [upper.id])
  await run()
  t.same([await status(upper.id), await status(lower.id)], [200, 404])
  await pool.query('DROP TABLE blockers')
  await run()
  t.equal(await status(upper.id), 404)
})
