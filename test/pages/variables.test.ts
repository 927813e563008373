import t, { type Test } from 'tap'
import { openApp } from '../support/world.ts'
import { aMember } from './a-member.ts'
import { Visitor } from './visitor.ts'

/** The same story in each place. */
const places = {
  project: ({ project }: Ids) => ({ api: `/projects/${project}/variables`, page: `/projects/${project}/variables` }),
  group: ({ group }: Ids) => ({ api: `/groups/${group}/variables`, page: `/groups/${group}/-/variables` }),
  installation: (_: Ids) => ({ api: '/admin/ci/variables', page: '/admin/variables' })
}

interface Ids {
  project: number
  group: number
}

async function openVariables(t: Test, kind: keyof typeof places) {
  const world = await openApp(t)
  const { body: group } = await world.call('POST', '/groups', { name: 'Town', path: 'town' })
  const { body: project } = await world.call('POST', '/projects', { name: 'Shop', path: 'shop', namespace_id: group.id })
  const { api, page } = places[kind]({ project: project.id, group: group.id })
  const root = new Visitor(world.app)

  await root.signIn()
  await root.get(`${page}/new`)

  return { ...world, group, project, api, page, root, stored: async () => (await world.call('GET', api)).body }
}

const filled = {
  key: 'DEPLOY_TOKEN',
  value: 'the-secret-value',
  variable_type: 'env_var',
  visibility: 'masked',
  environment_scope: 'review/*',
  description: 'Of the server',
  protected: 'true'
}

for (const kind of ['project', 'group', 'installation'] as const) {
  t.test(`a CI variable is created, changed and deleted on pages, which never show its value: ${kind}`, async t => {
    const { root, page, stored } = await openVariables(t, kind)
    const scope = kind === 'installation' ? {} : { environment_scope: 'review/*' }

    t.match((await root.get(page)).body, /There are no variables yet[\s\S]+\/variables\/new"/)
    t.match((await root.get(`${page}/new`)).body, /id="visibility-hint">[^<]+8 or more characters/)
    t.equal((await root.post(page, filled)).headers.location, page)
    t.hasStrict((await stored())[0], { key: 'DEPLOY_TOKEN', value: filled.value, masked: true, protected: true, raw: false, ...scope })
    const { body: list } = await root.get(page)
    const url = new RegExp(`${page}/\\d+`).exec(list)![0]
    const { body: form } = await root.get(url)

    t.match(list, /Variable DEPLOY_TOKEN created[\s\S]+masked[\s\S]+protected[\s\S]+Of the server/)
    for (const body of [list, form]) t.notOk(body.includes(filled.value))
    await root.post(url, { ...filled, value: '', visibility: 'visible', protected: '' })
    t.hasStrict((await stored())[0], { value: filled.value, masked: false, protected: false })
    await root.post(url, { ...filled, value: 'two\r\nlines', visibility: 'visible', variable_type: 'file' })
    t.hasStrict((await stored())[0], { value: 'two\nlines', variable_type: 'file' })
    await root.post(url, { ...filled, environment_scope: '*' })
    t.match((await root.get(page)).body, /All environments · Of the server/)
    await root.post(`${url}/removal`, {})
    t.same(await stored(), [])
  })
}

t.test('a form that cannot be saved names what is wrong, and keeps what was typed', async t => {
  const { root, page, stored } = await openVariables(t, 'project')
  const refused = async (more: object, ...expected: RegExp[]) => {
    const { statusCode, body } = await root.post(page, { ...filled, ...more })

    t.equal(statusCode, 400)
    for (const pattern of expected) t.match(body, pattern)
  }

  await refused({ key: 'no-hyphens' }, /id="key-error">Enter a name of letters/, /value="no-hyphens"/, />the-secret-value</)
  await refused({ value: 'short' }, /cannot be masked/i)
  await refused({ value: 'x'.repeat(10_001) }, /id="value-error">A value has at most 10,000/)
  await root.post(page, filled)
  await refused({}, /id="key-error">\(DEPLOY_TOKEN\) has already been taken/)
  t.equal((await stored()).length, 1)
})

t.test('a hidden variable stays hidden', async t => {
  const { root, page, stored } = await openVariables(t, 'project')

  await root.post(page, { ...filled, visibility: 'hidden' })
  const url = new RegExp(`${page}/\\d+`).exec((await root.get(page)).body)![0]

  t.match((await root.get(url)).body, /<select[^>]*name="visibility"[^>]*><option value="hidden" selected>[^<]+<\/option><\/select>/)
  t.equal((await root.post(url, { ...filled, visibility: 'visible' })).statusCode, 400)
  t.hasStrict((await stored())[0], { value: null, hidden: true })
})

t.test('only those who manage a place see its variables', async t => {
  const world = await openVariables(t, 'project')
  const { project, group, app, call } = world

  for (const [role, level] of [
    ['developer', 30],
    ['maintainer', 40]
  ] as const) {
    const member = await aMember({ app, call }, role)

    await call('POST', `/groups/${group.id}/members`, { user_id: member.id, access_level: level })

    t.equal((await member.get(`/projects/${project.id}/variables`)).statusCode, role === 'maintainer' ? 200 : 403, role)
    t.equal((await member.get(`/groups/${group.id}/-/variables`)).statusCode, 403, role)
    t.equal((await member.get('/admin/variables')).statusCode, 403, role)
  }
})
