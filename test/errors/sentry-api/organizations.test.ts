import t from 'tap'
import { hasExactly } from '../../support/has-exactly.ts'
import { openApp } from '../../support/world.ts'
import { nextCursor, readPages, sentryClient } from './client.ts'

t.test('organizations are the namespaces in which the user is a member of anything', async t => {
  const { app, call } = await openApp(t)
  const { body: company } = await call('POST', '/groups', { name: 'Company', path: 'company' })
  const { body: team } = await call('POST', '/groups', { name: 'Team', path: 'team', parent_id: company.id })
  const { body: shop } = await call('POST', '/projects', { name: 'Shop', namespace_id: team.id })
  const { body: ann } = await call('POST', '/users', {
    name: 'Ann',
    username: 'ann',
    email: 'ann@example.com',
    force_random_password: true
  })
  const { body: token } = await call('POST', `/users/${ann.id}/personal_access_tokens`, { name: 'T', scopes: ['api'] })
  const ask = sentryClient(app, token.token)
  const slugs = async (ask: ReturnType<typeof sentryClient>) => (await readPages(ask, 'organizations/?per_page=1')).map(({ slug }) => slug)

  await call('POST', '/groups', { name: 'Foreign', path: 'foreign' })
  t.same(await slugs(ask), ['ann'])
  await call('POST', `/projects/${shop.id}/members`, { user_id: ann.id, access_level: 30 })
  t.same(await slugs(ask), ['company', 'company/team', 'ann'])
  t.same(await slugs(sentryClient(app)), ['root', 'company', 'company/team', 'ann', 'foreign'], 'admins see all')
  hasExactly(t, (await ask('GET', 'organizations/')).body[1], {
    slug: 'company/team',
    name: 'Team',
    isEarlyAdopter: false,
    require2FA: false,
    requireEmailVerification: false,
    features: []
  })
})

t.test('projects are listed by their path in the organization', async t => {
  const { app, call } = await openApp(t)
  const ask = sentryClient(app)
  const { body: company } = await call('POST', '/groups', { name: 'Company', path: 'company' })
  const { body: team } = await call('POST', '/groups', { name: 'Team', path: 'team', parent_id: company.id })

  await call('POST', '/projects', { name: 'Shop', namespace_id: team.id })
  await call('POST', '/projects', { name: 'Bank', namespace_id: company.id })
  await call('POST', '/projects', { name: 'Hidden', namespace_id: company.id, monitor_access_level: 'disabled' })
  const { headers, body } = await ask('GET', 'organizations/company/projects/?per_page=1')

  hasExactly(t, body, [{ slug: 'team/shop', name: 'Shop' }])
  t.same(
    (await readPages(ask, 'organizations/company/projects/?per_page=1')).slice(0, 2).map(({ slug }) => slug),
    ['team/shop', 'bank']
  )
  t.match(headers.link, '<http://tocsin.test/api/0/organizations/company/projects/?per_page=1&cursor=')
  t.equal(nextCursor((await ask('GET', 'organizations/company%2Fteam/projects/')).headers), undefined)
  hasExactly(t, (await ask('GET', 'organizations/company\ufffdteam/projects/')).body, [{ slug: 'shop' }])
  t.same((await ask('GET', 'organizations/company/monitors/?cursor=')).body, [])
  t.same((await ask('GET', 'organizations/company/repos/?cursor=')).body, [])
  t.hasStrict(await ask('GET', 'organizations/nothing/projects/'), { status: 404, body: { detail: '404 Organization Not Found' } })
})

t.test('monitors are those of projects in which the user is a developer', async t => {
  const { app, call, platform } = await openApp(t)
  const { body: company } = await call('POST', '/groups', { name: 'Company', path: 'company' })
  const { body: shop } = await call('POST', '/projects', { name: 'Shop', namespace_id: company.id })
  const { body: foreign } = await call('POST', '/projects', { name: 'Foreign' })
  const add = async (projectId: number, slug: string, schedule: object | null) => {
    const { rows } = await platform.pool.query(
      'INSERT INTO monitors (project_id, slug, name, schedule) VALUES ($1, $2, $2, $3) RETURNING id',
      [projectId, slug, schedule]
    )

    await platform.pool.query(`INSERT INTO monitor_environments (monitor_id, environment, state) VALUES ($1, 'production', 'failing')`, [
      rows[0].id
    ])
  }

  await add(shop.id, 'backup', { type: 'crontab', value: '0 3 * * *' })
  await add(shop.id, 'queue', { type: 'interval', value: 5, unit: 'minute' })
  await add(foreign.id, 'foreign', null)
  await platform.pool.query("INSERT INTO monitors (project_id, slug, name, kind, http) VALUES ($1, 'url', 'URL', 'http', '{}')", [shop.id])
  const monitors = await readPages(sentryClient(app), 'organizations/company/monitors/?per_page=1')

  t.same(
    monitors.map(({ slug }) => slug),
    ['queue', 'backup']
  )
  t.hasStrict(monitors[0], { name: 'queue', type: 'cron_job', status: 'active', isMuted: false })
  hasExactly(t, monitors, [
    {
      project: { slug: 'shop' },
      config: { schedule_type: 'interval', schedule: [5, 'minute'], timezone: 'UTC' },
      environments: [{ name: 'production', status: 'error' }]
    },
    { config: { schedule_type: 'crontab', schedule: '0 3 * * *' } }
  ])
})

t.test('the root names the owner of the token, and other paths are not found', async t => {
  const { app } = await openApp(t)
  const ask = sentryClient(app)

  hasExactly(t, await ask('GET', ''), { status: 200, body: { user: { username: 'root' }, auth: { scopes: ['api', 'sudo'] } } })
  t.hasStrict(await ask('GET', 'users/me/regions/'), { status: 404, body: { detail: '404 Not Found' } })
  t.hasStrict(await ask('GET', 'organizations/?cursor=nonsense'), { status: 400, body: { detail: 'cursor is invalid' } })
})
