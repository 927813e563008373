import { DeployTokens } from '@gitbeaker/rest'
import t from 'tap'
import { openGitServer } from '../git-http/git-clients.ts'
import { rootToken } from '../support/world.ts'

t.test('deploy tokens of projects and groups clone what lies in them, and nothing else', async t => {
  const server = await openGitServer(t)
  const { call, project } = server
  const { body: group } = await call('POST', '/groups', { name: 'Company', path: 'company' })
  const { body: team } = await call('POST', '/groups', { name: 'Team', path: 'team', parent_id: group.id })
  const { body: inside } = await call('POST', '/projects', { name: 'Inside', namespace_id: team.id, visibility: 'private' })
  const writer = await server.client(server.url(undefined, inside.path_with_namespace))

  await writer.commit('readme')
  await writer.ok('push', 'origin', 'main')
  const ofGroup = (await call('POST', `/groups/${group.id}/deploy_tokens`, { name: 'G', scopes: ['read_repository'] })).body
  const ofProject = (
    await call('POST', `/projects/${project.id}/deploy_tokens`, { name: 'P', scopes: ['read_repository'], username: 'ci' })
  ).body
  const ofRegistry = (await call('POST', `/groups/${group.id}/deploy_tokens`, { name: 'R', scopes: ['read_registry'] })).body
  const clone = async ({ username, token }: { username: string; token: string }, path: string) => {
    const client = await server.client(server.url(`${encodeURIComponent(username)}:${token}`, path))

    return client.run('pull', 'origin', 'main')
  }

  t.match(ofGroup, { username: /^gitlab\+deploy-token-\d+$/, token: /^gldt-/, expires_at: null, revoked: false, expired: false })
  t.equal((await clone(ofGroup, inside.path_with_namespace)).code, 0)
  t.match((await clone(ofProject, inside.path_with_namespace)).stderr, 'was not found', 'of another project')
  t.match((await clone(ofGroup, project.path_with_namespace)).stderr, 'was not found', 'outside of the group')
  t.match((await clone(ofRegistry, inside.path_with_namespace)).stderr, 'needs the scope read_repository')
  t.equal((await call('GET', `/projects/${project.id}`, undefined, ofProject.token)).status, 401, 'not for the API')
  await call('PUT', `/groups/${team.id}`, { path: 'crew' })
  t.equal((await clone(ofGroup, inside.path_with_namespace)).code, 0, 'the former path leads to it')
  await server.platform.pool.query("UPDATE deploy_tokens SET expires_at = now() - interval '1 s' WHERE id = $1", [ofProject.id])
  t.match((await clone(ofProject, project.path_with_namespace)).stderr, 'Authentication failed')
  t.equal((await call('GET', `/projects/${project.id}/deploy_tokens/${ofProject.id}`)).body.expired, true)
  t.equal((await call('DELETE', `/groups/${group.id}/deploy_tokens/${ofGroup.id}`)).status, 204)
  t.match((await clone(ofGroup, 'company/crew/inside')).stderr, 'Authentication failed')
})

t.test('@gitbeaker/rest manages deploy tokens', async t => {
  const { port, project, call } = await openGitServer(t)
  const tokens = new DeployTokens({ host: `http://127.0.0.1:${port}`, token: rootToken })
  const { body: group } = await call('POST', '/groups', { name: 'Company', path: 'company' })

  for (const place of [{ projectId: project.id }, { groupId: group.id }]) {
    const expiresAt = '2099-01-31T00:00:00.000Z'
    const made = await tokens.create('T', ['read_repository', 'read_registry'], { ...place, expiresAt, username: 'ci' } as never)

    t.hasStrict(made, { name: 'T', username: 'ci', expires_at: expiresAt, scopes: ['read_repository', 'read_registry'] })
    t.hasStrict(await tokens.show(made.id, place), { id: made.id, revoked: false })
    t.equal('token' in (await tokens.show(made.id, place)), false)
    t.same(
      ((await tokens.all({ ...place, active: true } as never)) as { id: number }[]).map(({ id }) => id),
      [made.id]
    )
    await tokens.remove(made.id, place)
    t.same(await tokens.all({ ...place, active: true } as never), [])
    t.hasStrict(await tokens.all({ ...place, active: false } as never), [{ id: made.id, revoked: true }])
  }
  t.equal(((await tokens.all()) as unknown[]).length, 2)
})

t.test('deploy tokens need a known scope and a time to come', async t => {
  const { call, project } = await openGitServer(t)
  const create = (body: object) =>
    call('POST', `/projects/${project.id}/deploy_tokens`, { name: 'T', scopes: ['read_repository'], ...body })

  for (const body of [{ scopes: [] }, { scopes: ['api'] }, { name: '' }, { expires_at: '2020-01-01' }, { username: 'a b' }]) {
    t.equal((await create(body)).status, 400, JSON.stringify(body))
  }
})

t.test('today is accepted as the last day of a deploy token, which then is expired already, as in GitLab', async t => {
  const { call, project } = await openGitServer(t)
  const today = new Date().toISOString().slice(0, 10)
  const body = { name: 'T', scopes: ['read_repository'], expires_at: today }

  t.hasStrict(await call('POST', `/projects/${project.id}/deploy_tokens`, body), {
    status: 201,
    body: { expires_at: `${today}T00:00:00.000Z`, expired: true }
  })
})
