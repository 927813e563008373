import t, { type Test } from 'tap'
import { hashSecret } from '#identity/secrets.ts'
import { openGitServer } from '../../git-http/git-clients.ts'
import { aPerson } from '../../identity/people.ts'
import { aJobToken } from '../../support/job-tokens.ts'
import { rootToken } from '../../support/world.ts'

type Server = Awaited<ReturnType<typeof openGitServer>>

const services = ['git-upload-pack', 'git-receive-pack'] as const

/** The statuses of the first request of a fetch and of a push. */
async function ask({ port }: Server, path: string, credential?: string) {
  const authorization = credential === undefined ? undefined : `Basic ${Buffer.from(credential).toString('base64')}`
  const answers = await Promise.all(
    services.map(name =>
      fetch(`http://127.0.0.1:${port}/${path}.git/info/refs?service=${name}`, { headers: authorization ? { authorization } : {} })
    )
  )

  return Promise.all(answers.map(async answer => ({ status: answer.status, text: await answer.text(), headers: answer.headers })))
}

async function statuses(server: Server, path: string, credential?: string) {
  return (await ask(server, path, credential)).map(({ status }) => status)
}

async function openTown(t: Test) {
  const server = await openGitServer(t)
  const { call, project, platform } = server
  const { body: open } = await call('POST', '/projects', { name: 'Open', visibility: 'public' })
  const { body: internal } = await call('POST', '/projects', { name: 'Internal', visibility: 'internal' })
  const { body: archived } = await call('POST', '/projects', { name: 'Archived' })
  const roles = { stranger: 0, guest: 10, reporter: 20, developer: 30, maintainer: 40, owner: 50 }
  const people: Record<string, { id: number; token: string }> = {}

  for (const [name, level] of Object.entries(roles)) {
    people[name] = await aPerson(call, name)
    if (level === 0) continue
    for (const { id } of [project, archived])
      await call('POST', `/projects/${id}/members`, { user_id: people[name].id, access_level: level })
  }
  await call('POST', `/projects/${archived.id}/archive`)
  people.external = await aPerson(call, 'external', { external: true })
  const insert = (sql: string, ...values: unknown[]) => platform.pool.query(`INSERT INTO ${sql}`, values)

  return { ...server, paths: { private: project, public: open, internal, archived }, people, insert }
}

t.test('roles decide on reading and pushing', async t => {
  const town = await openTown(t)
  const expected: Record<string, Record<string, [number, number]>> = {
    private: {
      anonymous: [401, 401],
      stranger: [404, 404],
      external: [404, 404],
      guest: [403, 403],
      reporter: [200, 403],
      developer: [200, 200],
      maintainer: [200, 200],
      owner: [200, 200]
    },
    internal: { anonymous: [401, 401], stranger: [200, 403], external: [404, 404] },
    public: { anonymous: [200, 401], stranger: [200, 403], external: [200, 403] },
    archived: { anonymous: [401, 401], stranger: [404, 404], reporter: [200, 403], developer: [200, 403], owner: [200, 403] }
  }

  for (const [kind, rows] of Object.entries(expected)) {
    const { path_with_namespace: path } = town.paths[kind as keyof typeof town.paths]

    for (const [name, row] of Object.entries(rows)) {
      const credential = name === 'anonymous' ? undefined : `any:${town.people[name]!.token}`

      t.same(await statuses(town, path, credential), row, `${name} at the ${kind} project`)
    }
  }
  for (const credential of [undefined, `any:${town.people.stranger!.token}`]) {
    const bodies = await Promise.all(['root/nowhere', 'root/shop', '1', 'root'].map(path => ask(town, path, credential)))

    t.equal(new Set(bodies.flat().map(({ status, text }) => `${status} ${text}`)).size, 1, 'a hidden project and none answer the same')
  }
})

t.test('credentials decide by kind, scope and state', async t => {
  const town = await openTown(t)
  const { call, paths, people, insert } = town
  const path = paths.private.path_with_namespace
  const { id } = people.maintainer!
  const token = async (scopes: string[]) =>
    (await call('POST', `/users/${id}/personal_access_tokens`, { name: 'T', scopes })).body.token as string
  const oauthToken = '0b'.repeat(32)
  const readToken = '0c'.repeat(32)
  const { rows } = await town.platform.pool.query(
    `INSERT INTO oauth_grants (user_id, type, scopes) VALUES ($1, 'password', '{api}') RETURNING id`,
    [id]
  )

  for (const [secret, scope] of [
    [oauthToken, 'write_repository'],
    [readToken, 'read_repository']
  ]) {
    await insert(
      `oauth_tokens (grant_id, access_hash, scopes, expires_at) VALUES ($1, $2, $3, now() + interval '1 hour')`,
      rows[0].id,
      hashSecret(secret!),
      [scope]
    )
  }
  await aJobToken(town.platform.pool, { projectId: paths.private.id, userId: id, secret: 'glcbt-of-a-job' })
  await insert(
    `access_tokens (user_id, name, token_hash, scopes, expires_at) VALUES ($1, 'e', $2, '{api}', now() - interval '1 day')`,
    id,
    hashSecret('glpat-expired')
  )
  await insert(
    `deploy_tokens (project_id, name, username, token_hash, scopes) VALUES ($1, 'd', 'd', $2, '{read_repository}')`,
    paths.private.id,
    hashSecret('gldt-of-a-deploy')
  )
  const { body: projectToken } = await call('POST', `/projects/${paths.private.id}/access_tokens`, {
    name: 'P',
    scopes: ['read_repository'],
    access_level: 40
  })
  const { body: impersonation } = await call('POST', `/users/${id}/impersonation_tokens`, { name: 'I', scopes: ['api'] })
  const rowsOf: [string, string, number, number][] = [
    ['api', `any:${await token(['api'])}`, 200, 200],
    ['read_api', `any:${await token(['read_api'])}`, 403, 403],
    ['read_user', `oauth2:${await token(['read_user'])}`, 403, 403],
    ['read_repository', `oauth2:${await token(['read_repository'])}`, 200, 403],
    ['write_repository', `maintainer:${await token(['write_repository'])}`, 200, 200],
    ['project token', `any:${projectToken.token}`, 200, 403],
    ['impersonation token', `any:${impersonation.token}`, 200, 200],
    ['OAuth', `oauth2:${oauthToken}`, 200, 200],
    ['OAuth to read', `oauth2:${readToken}`, 200, 403],
    ['OAuth with another name', `any:${oauthToken}`, 401, 401],
    ['job', 'gitlab-ci-token:glcbt-of-a-job', 200, 403],
    ['job with another name', 'any:glcbt-of-a-job', 401, 401],
    ['a token as a job', `gitlab-ci-token:${rootToken}`, 401, 401],
    ['deploy token', 'd:gldt-of-a-deploy', 200, 403],
    ['deploy token with another name', 'e:gldt-of-a-deploy', 401, 401],
    ['expired', 'any:glpat-expired', 401, 401],
    ['made up', 'any:glpat-that-was-never-issued', 401, 401],
    ['nothing', ':', 401, 401],
    ['no password', `${rootToken}:`, 401, 401]
  ]

  for (const [name, credential, read, write] of rowsOf) t.same(await statuses(town, path, credential), [read, write], name)
  await call('POST', `/users/${id}/block`)
  t.same(await statuses(town, path, `oauth2:${oauthToken}`), [403, 403], 'of a blocked user')
})

t.test('a token of a group is for its projects, also in its subgroups', async t => {
  const server = await openGitServer(t)
  const { call, project } = server
  const { body: group } = await call('POST', '/groups', { name: 'Company', path: 'company' })
  const { body: team } = await call('POST', '/groups', { name: 'Team', path: 'team', parent_id: group.id })
  const { body: inside } = await call('POST', '/projects', { name: 'Inside', namespace_id: team.id, visibility: 'private' })
  const token = async (access_level: number, ...scopes: string[]) => {
    const { body } = await call('POST', `/groups/${group.id}/access_tokens`, { name: 'T', scopes, access_level })

    return `any:${body.token}`
  }
  const writes = await token(30, 'write_repository')

  t.same(await statuses(server, inside.path_with_namespace, await token(30, 'read_repository')), [200, 403])
  t.same(await statuses(server, inside.path_with_namespace, writes), [200, 200])
  t.same(await statuses(server, inside.path_with_namespace, await token(20, 'write_repository')), [200, 403])
  t.same(await statuses(server, inside.path_with_namespace, await token(10, 'write_repository')), [403, 403])
  t.same(await statuses(server, project.path_with_namespace, writes), [404, 404])
})

t.test('a path or a credential with NUL is not found', async t => {
  const server = await openGitServer(t)
  const path = server.project.path_with_namespace

  t.same(await statuses(server, `${path}%00`, `any:${rootToken}`), [404, 404])
  t.same(await statuses(server, '%00/x'), [401, 401])
  for (const credential of ['ro\0ot:password', 'root:pass\0word', 'd\0:gldt-of-a-deploy'])
    t.same(await statuses(server, path, credential), [401, 401])
})

t.test('git asks for credentials, and shows why they do not suffice', async t => {
  const { project, ...town } = await openTown(t)
  const [asked] = await ask(town as never, project.path_with_namespace)

  t.match(asked!.headers.get('www-authenticate'), /^Basic realm="/)
  const cloned = await town.clone('x', town.url(`any:${town.people.guest!.token}`))

  t.equal(cloned.code, 128)
  t.match(cloned.stderr, /remote: 403 Forbidden - you are not allowed to read the code of this project/)
})

t.test('a password works without two-factor authentication, and guessing it is limited', async t => {
  const server = await openGitServer(t, { env: { RATE_LIMIT_SIGN_IN: '20' } })
  const { call, project, platform } = server
  const path = project.path_with_namespace
  const { id } = await aPerson(call, 'ada', { password: 'a long enough phrase', force_random_password: false })

  await platform.pool.query('UPDATE users SET must_change_password = false WHERE id = $1', [id])
  await call('POST', `/projects/${project.id}/members`, { user_id: id, access_level: 30 })
  const ada = 'ada:a long enough phrase'

  t.same(await statuses(server, path, ada), [200, 200])
  t.same(await statuses(server, path, 'ada@example.com:a long enough phrase'), [200, 200])
  for (let n = 0; n < 6; n++) t.same(await statuses(server, path, ada), [200, 200], 'is remembered')
  await platform.pool.query('UPDATE users SET totp_enabled_at = now() WHERE id = $1', [id])
  const [refused] = await ask(server, path, ada)

  t.equal(refused!.status, 403)
  t.match(refused!.text, /two-factor authentication is on: use a token/)
  await platform.pool.query('UPDATE users SET totp_enabled_at = NULL, must_change_password = true WHERE id = $1', [id])
  t.same(await statuses(server, path, ada), [403, 403], 'a one-time password')
  await platform.pool.query('UPDATE users SET must_change_password = false WHERE id = $1', [id])
  for (let n = 0; n < 5; n++) t.same(await statuses(server, path, 'ada:wrong'), [401, 401])
  t.same(await statuses(server, path, ada), [401, 401], 'the account is locked')
  const last = await Promise.all(Array.from({ length: 5 }, () => statuses(server, path, 'ada:wrong')))

  t.ok(last.flat().includes(429))
})

t.test('the audit log has downloads, by version', async t => {
  const downloads = async (version: string) => {
    const server = await openGitServer(t, { env: { SERVICE_VERSION: version } })
    const client = await server.client()

    await client.commit('a')
    await client.ok('push', 'origin', 'main')
    await server.clone('private', server.url())
    await server.call('PUT', `/projects/${server.project.id}`, { visibility: 'public' })
    await server.clone('public', server.url(''))
    await client.ok('fetch', 'origin')
    const { body } = await server.call('GET', `/projects/${server.project.id}/audit_events`)

    return body
      .filter(({ event_name: name }: { event_name: string }) => name === 'repository_download_operation')
      .map(({ author_id: id }: { author_id: number | null }) => id)
  }

  t.same(await downloads('18.0'), [1])
  t.same(await downloads('16.11'), [null, 1])
})
