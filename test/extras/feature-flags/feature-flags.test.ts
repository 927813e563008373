import { Gitlab } from '@gitbeaker/rest'
import t from 'tap'
import { listen } from '../../support/listen.ts'
import { openApp, rootToken } from '../../support/world.ts'

async function aProjectPath(t: Parameters<typeof openApp>[0]) {
  const world = await openApp(t)
  const { body: project } = await world.call('POST', '/projects', { name: 'Shop' })

  return { ...world, project, path: `/projects/${project.id}/feature_flags` }
}

t.test('a feature flag is created, changed and deleted', async t => {
  const { call, path, project } = await aProjectPath(t)
  const created = await call('POST', path, {
    name: 'fast_checkout',
    description: 'D',
    version: 'new_version_flag',
    strategies: [
      { name: 'default', scopes: [{ environment_scope: 'staging' }] },
      { name: 'userWithId', parameters: { userIds: '1,ann' }, scopes: [{ environment_scope: 'production' }] }
    ]
  })
  const { strategies } = created.body

  t.hasStrict(created, { status: 201, body: { name: 'fast_checkout', description: 'D', active: true } })
  t.hasStrict(strategies, [
    { name: 'default', parameters: {}, scopes: [{ environment_scope: 'staging' }] },
    { name: 'userWithId', parameters: { userIds: '1,ann' }, scopes: [{ environment_scope: 'production' }] }
  ])
  t.strictSame((await call('GET', `${path}/fast_checkout`)).body, created.body)

  const changed = await call('PUT', `${path}/fast_checkout`, {
    name: 'checkout',
    active: false,
    strategies: [
      { id: strategies[0].id, _destroy: true },
      {
        id: strategies[1].id,
        parameters: { userIds: '2' },
        scopes: [{ id: strategies[1].scopes[0].id, _destroy: true }, { environment_scope: '*' }]
      },
      { name: 'flexibleRollout', parameters: { groupId: 'default', rollout: '50', stickiness: 'userId' } }
    ]
  })

  t.hasStrict(changed, { status: 200, body: { name: 'checkout', active: false, description: 'D' } })
  t.hasStrict(changed.body.strategies, [
    { id: strategies[1].id, name: 'userWithId', parameters: { userIds: '2' }, scopes: [{ environment_scope: '*' }] },
    { name: 'flexibleRollout', parameters: { rollout: '50' }, scopes: [] }
  ])
  const ids = changed.body.strategies.flatMap(({ id, scopes }: { id: number; scopes: { id: number }[] }) => [
    id,
    ...scopes.map(({ id }) => id)
  ])
  t.equal(new Set(ids).size, ids.length)
  t.equal((await call('GET', `${path}/fast_checkout`)).status, 404)
  t.equal((await call('DELETE', `${path}/checkout`)).body.name, 'checkout')
  t.strictSame((await call('GET', path)).body, [])
  const { body: events } = await call('GET', `/projects/${project.id}/audit_events`)
  t.match(JSON.stringify(events), /feature_flag_deleted.*feature_flag_updated.*feature_flag_created/)
})

t.test('flags are listed by whether they are on', async t => {
  const { call, path } = await aProjectPath(t)
  const names = async (query = '') => (await call('GET', `${path}${query}`)).body.map(({ name }: { name: string }) => name)

  for (const name of ['bb', 'aa', 'cc']) await call('POST', path, { name, active: name !== 'cc' })
  t.same(await names(), ['aa', 'bb', 'cc'])
  t.same(await names('?scope=enabled'), ['aa', 'bb'])
  t.same(await names('?scope=disabled'), ['cc'])
  t.same(await names('?per_page=1&page=2'), ['bb'])
})

t.test('values that a flag cannot have are refused', async t => {
  const { call, path } = await aProjectPath(t)
  const strategy = (name: unknown, parameters: object = {}, more: object = {}) => ({
    name: 'fast',
    strategies: [{ name, parameters, ...more }]
  })
  const twice = { scopes: [{ environment_scope: '*' }, { environment_scope: '*' }] }

  for (const [body, reason] of [
    [{}, /name is missing/],
    [{ name: 'Fast' }, /lowercase letters/],
    [{ name: 'fast-' }, /cannot end/],
    [{ name: 'a'.repeat(64) }, /name/],
    [strategy('gitlabUserList'), /must have one of the names/],
    [strategy('constructor'), /must have one of the names/],
    [strategy('default', { a: '1' }), /of the name default have the parameters: none/],
    [strategy('gradualRolloutUserId', { groupId: 'default', percentage: '101' }), /invalid percentage/],
    [strategy('flexibleRollout', { groupId: 'default', rollout: '5', stickiness: 'no' }), /invalid stickiness/],
    [strategy('userWithId', { userIds: '' }), /invalid userIds/],
    [strategy('default', {}, twice), /each environment once/],
    [strategy('default', {}, { id: 9 }), /no part with id 9/],
    [{ name: 'fast', strategies: Array.from({ length: 51 }, () => ({ name: 'default' })) }, /limited to 50/]
  ] as const) {
    const { status, body: answer } = await call('POST', path, body)

    t.equal(status, 400, JSON.stringify(body))
    t.match(JSON.stringify(answer), reason)
  }
  t.equal((await call('POST', path, { name: 'fast' })).status, 201)
  t.equal((await call('POST', path, { name: 'slow' })).status, 201)
  t.hasStrict(await call('POST', path, { name: 'fast' }), { status: 400, body: { message: { name: ['has already been taken'] } } })
  t.equal((await call('PUT', `${path}/slow`, { name: 'fast' })).status, 400)
  t.equal((await call('PUT', `${path}/slow`, { name: 'slow', active: false })).status, 200)
})

t.test('a project has at most 200 flags', async t => {
  const { call, path, platform, project } = await aProjectPath(t)

  await platform.pool.query(`INSERT INTO feature_flags (project_id, name) SELECT $1, 'flag' || n FROM generate_series(1, 199) n`, [
    project.id
  ])
  const created = await Promise.all(['one', 'two', 'three'].map(name => call('POST', path, { name })))
  t.same(created.map(({ status }) => status).sort(), [201, 400, 400])
})

t.test('gitbeaker keeps feature flags', async t => {
  const { app, project } = await aProjectPath(t)
  const host = await listen(app)
  const api = new Gitlab({ host, token: rootToken })

  t.hasStrict(await api.FeatureFlags.create(project.id, 'fast', 'new_version_flag', { active: false }), { name: 'fast', active: false })
  t.hasStrict(await api.FeatureFlags.all(project.id), [{ name: 'fast' }])
  t.hasStrict(await api.FeatureFlags.edit(project.id, 'fast', { active: true }), { active: true })
  await api.FeatureFlags.remove(project.id, 'fast')
  t.same(await api.FeatureFlags.all(project.id), [])
})
