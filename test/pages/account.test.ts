import t, { type Test } from 'tap'
import { openApp } from '../support/world.ts'
import { aMember } from './a-member.ts'

const path = '/-/profile/account'

async function openAccount(t: Test) {
  const world = await openApp(t)
  const ann = await aMember(world, 'ann')
  const password = 'a password, n-n-a'

  await ann.get(path)

  return { ...world, ann, password }
}

function problemsOf(body: string) {
  return [...body.matchAll(/<p class="(?:error|problem)"[^>]*>([^<]+)</g)].map(([, text]) => text)
}

t.test('users download what is kept of them, without secrets', async t => {
  const { ann, password, call, platform } = await openAccount(t)
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })

  await call('POST', `/projects/${project.id}/members`, { user_id: ann.id, access_level: 30 })
  await call('POST', `/users/${ann.id}/personal_access_tokens`, { name: 'Laptop', scopes: ['api'] })
  await platform.pool.query(
    `INSERT INTO issues (project_id, iid, issue_type, state, title, severity, author_id, created_at, updated_at)
     SELECT $1, n, 'issue', 'opened', 'Issue ' || n, 'unknown', $2, now(), now() FROM generate_series(1, 1203) n`,
    [project.id, ann.id]
  )
  const { statusCode, headers, body } = await ann.post(`${path}/export`, { current: password })
  const data = JSON.parse(body)

  t.equal(statusCode, 200)
  t.match(headers['content-disposition'], /^attachment; filename="tocsin-ann\.json"/)
  t.hasStrict(data.profile, [{ username: 'ann', email: 'ann@example.com' }])
  t.hasStrict(data.memberships[0], { project: 'root/shop', access_level: 30 })
  t.hasStrict(data.access_tokens[0], { name: 'Laptop', scopes: ['api'] })
  t.equal(new Set(data.issues.map(({ title }: { title: string }) => title)).size, 1203)
  t.same(data.passkeys, [])
  t.notMatch(body, /hash|secret|\\\\x/)
  t.same(problemsOf((await ann.post(`${path}/export`, { current: 'wrong' })).body).length, 1)
  const { rows } = await platform.pool.query(`SELECT FROM audit_events WHERE name = 'user_exported' AND author_id = $1`, [ann.id])

  t.equal(rows.length, 1)
})

t.test('users delete their account with password and username', async t => {
  const { ann, password, call } = await openAccount(t)
  const remove = (fields: Record<string, string>) => ann.post(`${path}/deletion`, { current: password, username: 'ann', ...fields })

  t.equal((await remove({ username: 'bob' })).statusCode, 400)
  t.equal((await remove({ current: 'wrong' })).statusCode, 400)
  t.equal((await call('GET', `/users/${ann.id}`)).status, 200)
  t.equal((await remove({})).headers.location, '/users/sign_in')
  t.equal((await call('GET', `/users/${ann.id}`)).status, 404)
  t.equal((await ann.get(path)).statusCode, 401)
})

t.test('the sole owner of a group, and the last admin, are told why they cannot be deleted', async t => {
  const { ann, password, call } = await openAccount(t)
  const { body: group } = await call('POST', '/groups', { name: 'Team', path: 'team' })

  await call('POST', `/groups/${group.id}/members`, { user_id: ann.id, access_level: 50 })
  await call('DELETE', `/groups/${group.id}/members/1`)
  t.match(problemsOf((await ann.post(`${path}/deletion`, { current: password, username: 'ann' })).body)[0]!, /sole owner of a group/)
})
