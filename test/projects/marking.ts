import type { Test } from 'tap'
import { openApp, type WorldOptions } from '../support/world.ts'

type Call = Awaited<ReturnType<typeof openApp>>['call']

/** From now on, deletions are marks that last so many days. */
export async function delayDeletions(call: Call, days = 7) {
  await call('PUT', '/application/settings', { deletion_adjourned_period: days })
}

/** A group `top` with a subgroup `sub` and a project in each, where deletions are marks. */
export async function openMarkableGroup(t: Test, options: WorldOptions = {}) {
  const world = await openApp(t, options)
  const { call } = world
  const create = async (kind: 'groups' | 'projects', more: object) => (await call('POST', `/${kind}`, more)).body
  const top = await create('groups', { name: 'Top', path: 'top' })
  const sub = await create('groups', { name: 'Sub', path: 'sub', parent_id: top.id })
  const upper = await create('projects', { name: 'Upper', namespace_id: top.id })
  const lower = await create('projects', { name: 'Lower', namespace_id: sub.id })

  await delayDeletions(call)

  return { ...world, top, sub, upper, lower }
}

/** Lets time pass for what is marked. */
export async function ageMarks({ platform: { pool } }: Pick<Awaited<ReturnType<typeof openApp>>, 'platform'>, days: number) {
  for (const table of ['projects', 'namespaces']) {
    await pool.query(`UPDATE ${table} SET marked_for_deletion_at = marked_for_deletion_at - make_interval(days => $1)`, [days])
  }
}

export function today() {
  return new Date().toISOString().slice(0, 10)
}
