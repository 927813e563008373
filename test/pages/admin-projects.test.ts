import t from 'tap'
import { openApp } from '../support/world.ts'
import { aMember } from './a-member.ts'
import { Visitor } from './visitor.ts'

const path = '/admin/projects'

t.test('projects and groups are ranked by what they received, and those that received nothing are listed, too', async t => {
  const world = await openApp(t, {})
  const { call, platform, app } = world
  const root = new Visitor(app)
  const { body: team } = await call('POST', '/groups', { name: 'Team', path: 'team' })
  const { body: inner } = await call('POST', '/groups', { name: 'Inner', path: 'inner', parent_id: team.id })
  const ids: Record<string, number> = {}

  for (const [name, namespace] of [
    ['Quiet', undefined],
    ['Busy', inner.id],
    ['Old', undefined],
    ['Dropping', undefined]
  ]) {
    ids[name] = (await call('POST', '/projects', { name, path: name.toLowerCase(), namespace_id: namespace })).body.id
  }
  const store = (table: string, project: number, ago: number, items: number) =>
    platform.pool.query(
      `INSERT INTO ${table} (project_id, day, category, items${table === 'error_dropped_counts' ? ', reason' : ''})
       VALUES ($1, (now() AT TIME ZONE 'UTC')::date - $2::int, 'error', $3${table === 'error_dropped_counts' ? `, 'quota'` : ''})`,
      [project, ago, items]
    )

  await store('error_stored_counts', ids.Busy!, 0, 1200)
  await store('error_stored_counts', ids.Busy!, 6, 34)
  await store('error_stored_counts', ids.Old!, 20, 5000)
  await store('error_dropped_counts', ids.Dropping!, 0, 1250)
  await root.signIn()
  const list = async (query: string) => {
    const { body } = await root.get(`${path}?${query}`)

    return [...body.matchAll(/<th scope="row"><a href="[^"]+">([^<]+)<\/a>[\s\S]*?<\/tr>/g)].map(([row, name]) => [
      name,
      ...[...row.matchAll(/data-label="[A-Z][^"]+">([\d,]+)</g)].map(([, figure]) => figure)
    ])
  }

  t.same((await list('days=7')).slice(0, 2), [
    ['Dropping', '0', '1,250', '0'],
    ['Busy', '1,234', '0', '0']
  ])
  t.same((await list('days=7')).filter(([name]) => name === 'Quiet' || name === 'Old').length, 2)
  t.same((await list('days=1')).slice(0, 2), [
    ['Dropping', '0', '1,250', '0'],
    ['Busy', '1,200', '0', '0']
  ])
  t.same((await list('days=30')).map(([name]) => name).slice(0, 3), ['Old', 'Dropping', 'Busy'])
  t.same(await list('kind=groups'), [
    ['Team', '1,234', '0', '0'],
    ['Inner', '1,234', '0', '0']
  ])
  t.same(await list('days=x&kind=y&page=-1'), await list('days=7'), 'nonsense is the default')
  t.equal((await (await aMember(world, 'ann')).get(path)).statusCode, 403)
})
