import { Gitlab } from '@gitbeaker/rest'
import t from 'tap'
import { aPerson } from '../../identity/people.ts'
import { hasExactly } from '../../support/has-exactly.ts'
import { listen } from '../../support/listen.ts'
import { openApp, rootToken } from '../../support/world.ts'

const old = { env: { SERVICE_VERSION: '16.11' } }

t.test('a runner registers by a registration token, and reports by its own', async t => {
  const { call } = await openApp(t, old)
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })
  const { body: registration } = await call('POST', `/projects/${project.id}/runners/reset_registration_token`)
  const register = (body: object) => call('POST', '/runners', body, null)

  t.match(registration.token, /^GR1348941/)
  t.hasStrict(await register({}), { status: 400, body: { error: 'token is missing' } })
  t.hasStrict(await register({ token: 'no' }), { status: 403 })
  t.hasStrict(await register({ token: registration.token, active: true, paused: false }), {
    status: 400,
    body: { error: 'active, paused are mutually exclusive' }
  })
  const { status, body: made } = await register({
    token: registration.token,
    description: 'Builder',
    tag_list: 'a, b',
    run_untagged: false,
    maximum_timeout: 900,
    info: { name: 'gitlab-runner', version: '16.11.0', platform: 'linux', features: { variables: true } }
  })
  t.equal(status, 201)
  t.match(made.token, /^glrtr-/, 'so that gitlab-runner deletes it when it unregisters')
  t.hasStrict((await call('GET', `/runners/${made.id}`)).body, {
    runner_type: 'project_type',
    is_shared: false,
    tag_list: ['a', 'b'],
    run_untagged: false,
    maximum_timeout: 900,
    version: '16.11.0',
    paused: false,
    active: true,
    status: 'never_contacted',
    projects: [{ id: project.id, path: 'shop' }]
  })

  const verified = await call('POST', '/runners/verify', { token: made.token, system_id: 's_1', info: { version: '16.11.1' } }, null)
  t.same(verified.body, { id: made.id, token: made.token, token_expires_at: null })
  t.hasStrict((await call('GET', `/runners/${made.id}`)).body, { status: 'online', version: '16.11.1', ip_address: '127.0.0.1' })
  t.hasStrict((await call('GET', `/runners/${made.id}/managers`)).body, [{ system_id: 's_1', version: '16.11.1', status: 'online' }])
  t.equal((await call('POST', '/runners/verify', { token: 'glrt-no' }, null)).status, 403)

  const { body: reset } = await call('POST', '/runners/reset_authentication_token', { token: made.token }, null)
  t.match(reset.token, /^glrtr-/)
  t.equal((await call('POST', '/runners/verify', { token: made.token }, null)).status, 403)
  t.equal((await call('DELETE', '/runners/managers', { token: reset.token, system_id: 's_1' }, null)).status, 204)
  t.equal((await call('DELETE', '/runners/managers', { token: reset.token, system_id: 's_1' }, null)).status, 404)
  t.equal((await call('DELETE', '/runners', { token: reset.token }, null)).status, 204)
  t.equal((await call('GET', `/runners/${made.id}`)).status, 404)
})

t.test('a reset registration token replaces the former one', async t => {
  const { call } = await openApp(t, old)
  const { body: group } = await call('POST', '/groups', { name: 'Town', path: 'town' })
  const reset = async (path: string) => (await call('POST', `${path}/reset_registration_token`)).body.token
  const type = async (token: string) => {
    const { status, body } = await call('POST', '/runners', { token }, null)

    return status === 201 ? (await call('GET', `/runners/${body.id}`)).body.runner_type : status
  }
  const first = await reset('/runners')
  const ofGroup = await reset(`/groups/${group.id}/runners`)

  t.equal(await type(first), 'instance_type')
  t.equal(await type(ofGroup), 'group_type')
  const second = await reset('/runners')
  t.equal(await type(first), 403)
  t.equal(await type(second), 'instance_type')
  t.equal(await type(ofGroup), 'group_type')
})

t.test('registration tokens take no settings from 17.0, and are gone from 18.0', async t => {
  for (const [version, withSettings, reset] of [
    ['16.11', 403, 201],
    ['17.0', 410, 201],
    ['17.11', 410, 201],
    ['18.0', 410, 410]
  ] as const) {
    const { call } = await openApp(t, { env: { SERVICE_VERSION: version } })
    const register = (body: object) => call('POST', '/runners', body, null)
    const { body: project } = await call('POST', '/projects', { name: 'Shop' })
    const { body: group } = await call('POST', '/groups', { name: 'Town', path: 'town' })

    for (const setting of [
      { locked: true },
      { access_level: 'ref_protected' },
      { run_untagged: false },
      { maximum_timeout: 600 },
      { paused: true },
      { tag_list: ['x'] },
      { maintenance_note: 'x' }
    ])
      t.equal((await register({ token: 'no', ...setting })).status, withSettings, `${version} ${Object.keys(setting)}`)
    t.equal((await register({ token: 'no', description: 'Mine', info: { name: 'x' } })).status, version === '18.0' ? 410 : 403, version)
    const { status, body } = await register({ token: 'no', locked: true })
    if (status === 410) t.match(body, { message: /^410 Gone - .*create a runner with POST \/user\/runners, and register with its auth/ })
    for (const path of ['', `/projects/${project.id}`, `/groups/${group.id}`]) {
      const { status, body } = await call('POST', `${path}/runners/reset_registration_token`)

      t.equal(status, reset, version + path)
      if (status === 201) t.equal((await register({ token: body.token })).status, 201, 'a runner registers without settings')
    }
  }
})

t.test('users make runners where they may', async t => {
  const { call } = await openApp(t)
  const jane = await aPerson(call, 'jane')
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })
  const { body: group } = await call('POST', '/groups', { name: 'Town', path: 'town' })
  const make = (body: object, token: string | null = jane.token) => call('POST', '/user/runners', body, token)
  const join = (path: string, access_level: number) =>
    call('POST', `${path}/members`, { user_id: jane.id, access_level }).then(async ({ status }) => {
      if (status === 409) await call('PUT', `${path}/members/${jane.id}`, { access_level })
    })

  t.equal((await make({ runner_type: 'instance_type' })).status, 403)
  t.equal((await make({ runner_type: 'project_type', project_id: project.id })).status, 404)
  await join(`/projects/${project.id}`, 30)
  t.equal((await make({ runner_type: 'project_type', project_id: project.id })).status, 403)
  await join(`/projects/${project.id}`, 40)
  const { status, body } = await make({ runner_type: 'project_type', project_id: project.id, description: 'Mine', tag_list: ['x'] })
  t.equal(status, 201)
  t.match(body.token, /^glrt-/)
  t.hasStrict(await make({ runner_type: 'group_type' }), {
    status: 400,
    body: { message: { group_id: ['is needed for a runner of a group'] } }
  })
  await join(`/groups/${group.id}`, 50)
  t.equal((await make({ runner_type: 'group_type', group_id: group.id })).status, 201)
  t.equal((await make({ runner_type: 'instance_type' }, rootToken)).status, 201)

  const names = async (url: string, token = jane.token) =>
    (await call('GET', url, undefined, token)).body.map((runner: { runner_type: string }) => runner.runner_type).sort()
  t.same(await names('/runners'), ['group_type', 'project_type'])
  t.same(await names('/runners?paused=true'), [])
  t.same(await names('/runners?tag_list=x'), ['project_type'])
  t.same(await names('/runners/all', rootToken), ['group_type', 'instance_type', 'project_type'])
  t.same(await names(`/projects/${project.id}/runners`), ['instance_type', 'project_type'])
  t.same(await names(`/groups/${group.id}/runners`), ['group_type', 'instance_type'])
  t.equal((await call('GET', '/runners/all', undefined, jane.token)).status, 403)
  t.equal((await call('GET', `/runners/${body.id}`, undefined, (await aPerson(call, 'joe')).token)).status, 403)

  t.hasStrict(await call('PUT', `/runners/${body.id}`, { paused: true, description: 'Resting' }, jane.token), {
    status: 200,
    body: { paused: true, active: false, status: 'paused', description: 'Resting', tag_list: ['x'] }
  })
  t.hasStrict(await call('PUT', `/runners/${body.id}`, { active: true }, jane.token), { status: 200, body: { paused: false } })
  t.equal((await call('DELETE', `/runners/${body.id}`, undefined, jane.token)).status, 204)
})

t.test('a runner of a project can run the jobs of another, unless it is locked', async t => {
  const { call } = await openApp(t)
  const { body: first } = await call('POST', '/projects', { name: 'First' })
  const { body: second } = await call('POST', '/projects', { name: 'Second' })
  const { body: runner } = await call('POST', '/user/runners', { runner_type: 'project_type', project_id: first.id, locked: true })
  const add = () => call('POST', `/projects/${second.id}/runners`, { runner_id: runner.id })
  const remove = (id: number) => call('DELETE', `/projects/${id}/runners/${runner.id}`)

  t.hasStrict(await add(), { status: 403, body: { message: '403 Forbidden - Runner is locked' } })
  await call('PUT', `/runners/${runner.id}`, { locked: false })
  t.hasStrict(await add(), { status: 201, body: { id: runner.id } })
  t.equal((await add()).status, 400)
  hasExactly(
    t,
    (await call('GET', `/runners/${runner.id}`)).body.projects.map(({ id }: { id: number }) => id),
    [first.id, second.id]
  )
  t.equal((await remove(first.id)).status, 403)
  t.equal((await remove(second.id)).status, 204)
  t.equal((await remove(second.id)).status, 404)
})

t.test('the address of a runner is empty from 17.0', async t => {
  for (const [version, address] of [
    ['16.11', '127.0.0.1'],
    ['17.0', '']
  ] as const) {
    const { call } = await openApp(t, { env: { SERVICE_VERSION: version } })
    const { body: runner } = await call('POST', '/user/runners', { runner_type: 'instance_type' })

    await call('POST', '/runners/verify', { token: runner.token }, null)
    t.equal((await call('GET', `/runners/${runner.id}`)).body.ip_address, address)
  }
})

t.test('gitbeaker works with runners', async t => {
  const { app, call } = await openApp(t)
  const host = await listen(app)
  const api = new Gitlab({ host, token: rootToken })
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })
  const made = await api.Users.createCIRunner('project_type', { projectId: project.id, tagList: ['a'] })

  t.hasStrict(await api.Runners.show(Number(made.id)), { id: made.id, tag_list: ['a'] })
  t.hasStrict(await api.Runners.edit(Number(made.id), { description: 'New' }), { description: 'New' })
  t.equal((await api.Runners.all({ projectId: project.id })).length, 1)
  t.same(await api.Runners.allJobs(Number(made.id)), [])
  await api.Runners.remove({ runnerId: Number(made.id) })
  t.same(await api.Runners.all({ owned: true }), [])
})
