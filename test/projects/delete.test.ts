import t from 'tap'
import { anEnvelope, anException, openProject } from '../support/factories.ts'
import { hasExactly } from '../support/has-exactly.ts'
import { eventually } from '../support/world.ts'
import { aPerson } from './people.ts'

t.test('deleting a project deletes its data, large tables in the background', async t => {
  const { call, project, send, untilStored, platform, work } = await openProject(t)
  const { pool } = platform
  const left = async (table: string) =>
    Number((await pool.query(`SELECT count(*) FROM ${table} WHERE project_id = $1`, [project.id])).rows[0].count)

  for (let n = 0; n < 5; n++) await send(anEnvelope(anException(`E${n}`)))
  await untilStored(5)
  t.hasStrict(await call('DELETE', `/projects/${project.id}`, { permanently_remove: true, full_path: 'wrong' }), { status: 400 })
  t.hasStrict(await call('DELETE', `/projects/${project.id}`), { status: 202, body: { message: '202 Accepted' } })
  t.equal((await call('GET', `/projects/${project.id}`)).status, 404)
  t.equal((await call('DELETE', `/projects/${project.id}`)).status, 404, 'deleting twice is not found')
  for (const table of ['client_keys', 'error_settings', 'error_groups', 'members']) t.equal(await left(table), 0, table)
  await eventually(async () => (await send(anEnvelope())).statusCode === 403, 'its keys are refused')

  t.equal(await left('error_events'), 5, 'purged later')
  await work('maintenance')
  await eventually(async () => (await left('error_events')) === 0 && (await left('error_hourly_counts')) === 0, 'the events are purged')
})

t.test('deleting a group deletes its subgroups and projects', async t => {
  const { call, platform, ...world } = await openProject(t)
  const ann = await aPerson({ call, platform }, 'ann')
  const { body: top } = await call('POST', '/groups', { name: 'Top', path: 'top' })
  const { body: sub } = await call('POST', '/groups', { name: 'Sub', path: 'sub', parent_id: top.id })
  const { body: project } = await call('POST', '/projects', { name: 'P', namespace_id: sub.id })

  await call('PUT', `/projects/${world.project.id}/transfer`, { namespace: sub.id })
  await call('POST', `/groups/${top.id}/members`, { user_id: ann.id, access_level: 40 })
  t.equal((await ann.call('DELETE', '/groups/top')).status, 403)
  t.hasStrict(await call('DELETE', '/groups/top', { permanently_remove: true, full_path: 'top' }), { status: 202 })
  for (const url of [`/groups/${top.id}`, `/groups/${sub.id}`, `/projects/${project.id}`, `/projects/${world.project.id}`]) {
    t.equal((await call('GET', url)).status, 404, url)
  }
  await eventually(async () => (await world.send(anEnvelope())).statusCode === 403, 'the keys of its projects are refused')
  const { rows } = await platform.pool.query(`SELECT details FROM audit_events WHERE name = 'group_deleted'`)
  hasExactly(t, rows, [{ details: { entity_path: 'top', projects: 2 } }])
})
