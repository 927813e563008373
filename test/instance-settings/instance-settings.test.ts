import t from 'tap'
import { aPerson } from '../projects/people.ts'
import { hasExactly } from '../support/has-exactly.ts'
import { openApp } from '../support/world.ts'

const initial = {
  default_projects_limit: 100_000,
  can_create_group: true,
  default_project_visibility: 'private',
  default_group_visibility: 'private',
  default_branch_name: '',
  deletion_adjourned_period: 0,
  sign_up: 'invited',
  domain_allowlist: [],
  announcement: '',
  announcement_ends_at: null
}
const url = '/application/settings'

t.test('admins read and change the settings that exist; each change is recorded once', async t => {
  const world = await openApp(t)
  const { call } = world
  const ann = await aPerson(world, 'ann')

  t.same((await call('GET', url)).body, initial)
  const changed = { ...initial, default_branch_name: 'trunk', default_projects_limit: 3 }
  for (const _ of [1, 2]) {
    const { status, body } = await call('PUT', url, { default_branch_name: 'trunk', default_projects_limit: 3, gravatar_enabled: true })

    t.same([status, body], [200, changed])
  }
  t.same((await call('GET', url)).body, changed)
  t.hasStrict(await call('PUT', url, { signup_enabled: false }), { status: 200, body: changed }, 'others are ignored')
  hasExactly(t, (await call('GET', '/audit_events')).body.slice(0, 1), [
    {
      event_name: 'instance_settings_updated',
      entity_type: 'Instance',
      details: { defaultProjectsLimit: { from: 100_000, to: 3 }, defaultBranchName: { from: '', to: 'trunk' } }
    }
  ])
  t.equal((await call('GET', '/audit_events')).body.filter(isOfSettings).length, 1)
  t.equal((await ann.call('GET', url)).status, 403)
  t.equal((await ann.call('PUT', url, { can_create_group: false })).status, 403)
})

t.test('invalid settings are refused, and so is a request without any', async t => {
  const { call } = await openApp(t)

  for (const body of [
    {},
    { default_projects_limit: -1 },
    { default_projects_limit: 2 ** 31 },
    { deletion_adjourned_period: 91 },
    { default_project_visibility: 'secret' },
    { default_branch_name: 'a..b' },
    { sign_up: 'anyone' },
    { sign_up: 'domains' },
    { domain_allowlist: ['a@b.example'] },
    { domain_allowlist: [''] },
    { can_create_group: 'perhaps' }
  ]) {
    t.equal((await call('PUT', url, body)).status, 400, JSON.stringify(body))
  }
  t.same((await call('GET', url)).body, initial)
})

t.test('new users have the defaults unless their admin says otherwise', async t => {
  const { call } = await openApp(t)
  const create = async (username: string, more = {}) =>
    (await call('POST', '/users', { username, name: username, email: `${username}@example.com`, force_random_password: true, ...more }))
      .body

  await call('PUT', url, { default_projects_limit: 2, can_create_group: false })
  hasExactly(t, await create('ann'), { projects_limit: 2, can_create_group: false })
  hasExactly(t, await create('bob', { projects_limit: 5, can_create_group: true }), { projects_limit: 5, can_create_group: true })
})

t.test('new groups and projects have the defaults, within what their group allows', async t => {
  const { call } = await openApp(t)
  const create = async (kind: 'groups' | 'projects', name: string, more = {}) =>
    (await call('POST', `/${kind}`, { name, path: name, ...more })).body

  const { id: hidden } = await create('groups', 'hidden')
  await call('PUT', url, { default_project_visibility: 'public', default_group_visibility: 'internal', default_branch_name: 'trunk' })
  const { id: inner, ...group } = await create('groups', 'inner')
  t.equal(group.visibility, 'internal')
  hasExactly(t, await create('projects', 'one'), { visibility: 'public', default_branch: 'trunk' })
  hasExactly(t, await create('projects', 'two', { visibility: 'private', default_branch: 'main' }), {
    visibility: 'private',
    default_branch: 'main'
  })
  hasExactly(t, await create('projects', 'three', { namespace_id: inner }), { visibility: 'internal' })
  hasExactly(t, await create('projects', 'four', { namespace_id: hidden }), { visibility: 'private' })
  hasExactly(t, await create('groups', 'five', { parent_id: hidden }), { visibility: 'private' })
  t.equal((await call('POST', '/projects', { name: 'six', namespace_id: inner, visibility: 'public' })).status, 400)
})

function isOfSettings({ event_name: name }: { event_name: string }) {
  return name === 'instance_settings_updated'
}
