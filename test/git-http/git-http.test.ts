import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { Repository } from '#repositories/repository.ts'
import { openGitServer, runGit } from './git-clients.ts'

t.test('git clones, pushes and fetches', async t => {
  const server = await openGitServer(t)
  const one = await server.client()
  const first = await one.commit('readme')

  t.equal((await one.run('ls-remote', 'origin')).stdout, '', 'an empty repository')
  await one.ok('push', 'origin', 'main')
  t.equal(await server.onServer('rev-parse', 'refs/heads/main'), first)
  const two = await server.client()

  await two.ok('pull', 'origin', 'main')
  const second = await two.commit('license')

  await two.ok('tag', '-a', 'v1', '-m', 'One')
  await two.ok('push', 'origin', 'main', 'v1')
  await one.ok('fetch', '--tags', 'origin')
  t.equal(await one.ok('rev-parse', 'origin/main'), second)
  t.equal(await one.ok('rev-parse', 'v1^{commit}'), second)
})

t.test('every version of the protocol works', async t => {
  const server = await openGitServer(t)
  const writer = await server.client()
  const commit = await writer.commit('readme')

  await writer.ok('push', 'origin', 'main')
  for (const version of ['0', '1', '2']) {
    const client = await server.client()

    await client.ok('-c', `protocol.version=${version}`, 'fetch', 'origin')
    t.equal(await client.ok('rev-parse', 'origin/main'), commit, version)
    await client.ok('checkout', '--quiet', '-b', `of-${version}`, 'origin/main')
    await client.commit(version)
    await client.ok('-c', `protocol.version=${version}`, 'push', 'origin', 'HEAD')
  }
  t.equal((await server.onServer('branch', '--list', 'of-*')).split('\n').length, 3)
})

t.test('an empty repository can be cloned, and its directory is not created', async t => {
  const server = await openGitServer(t)

  t.equal((await server.clone('empty', server.url())).code, 0)
  t.equal((await server.repository()).isInitialized, false)
})

t.test('the address of the project works, also without .git and after a move', async t => {
  const server = await openGitServer(t)
  const { path_with_namespace: path, http_url_to_repo: address } = server.project
  const client = await server.client()

  t.equal(address, `http://tocsin.test/${path}.git`)
  await client.commit('readme')
  await client.ok('push', 'origin', 'main')
  t.equal((await server.clone('plain', server.url().replace(/\.git$/, ''))).code, 0)
  const { body: group } = await server.call('POST', '/groups', { name: 'Company', path: 'company' })
  const { body: team } = await server.call('POST', '/groups', { name: 'Team', path: 'team', parent_id: group.id })

  await server.call('PUT', `/projects/${server.project.id}/transfer`, { namespace: team.id })
  t.equal((await server.clone('nested', server.url(undefined, 'company/team/shop'))).code, 0)
  t.equal((await server.clone('former', server.url())).code, 0, 'the former path leads to the project')
})

t.test('HEAD is the default branch, and the first push decides it', async t => {
  const server = await openGitServer(t)
  const client = await server.client()
  const defaultBranch = async () => (await server.call('GET', `/projects/${server.project.id}`)).body.default_branch

  await client.commit('readme')
  await client.ok('push', 'origin', 'main:refs/heads/trunk', 'main:refs/heads/zone')
  t.equal(await defaultBranch(), 'trunk')
  await client.ok('push', 'origin', 'main:refs/heads/abc')
  t.equal(await defaultBranch(), 'trunk', 'a later branch does not change it')
  await server.call('PUT', `/projects/${server.project.id}`, { default_branch: 'zone' })
  t.match((await client.run('ls-remote', '--symref', 'origin', 'HEAD')).stdout, /^ref: refs\/heads\/zone\tHEAD/)
})

t.test('clones may be shallow or partial', async t => {
  const server = await openGitServer(t)
  const writer = await server.client()

  for (const name of ['a', 'b', 'c']) await writer.commit(name)
  await writer.ok('push', 'origin', 'main')
  t.equal((await server.clone('shallow', '--depth', '1', server.url())).code, 0)
  t.equal((await runGit(join(writer.path, '../shallow'), ['rev-list', '--count', 'HEAD'])).stdout.trim(), '1')
  t.equal((await server.clone('partial', '--filter=blob:none', '--no-checkout', server.url())).code, 0)
  const partial = join(writer.path, '../partial')

  t.match((await runGit(partial, ['rev-list', '--objects', '--missing=print', 'HEAD'])).stdout, /^\?[0-9a-f]{40}$/m)
  t.equal((await runGit(partial, ['checkout', 'main'])).code, 0, 'the missing objects are fetched later')
  t.equal((await runGit(join(writer.path, '../shallow'), ['fetch', '--unshallow'])).code, 0)
})

t.test('maintainers rewrite the default branch, developers do not, and it cannot be deleted', async t => {
  const server = await openGitServer(t)
  const owner = await server.client()
  const { body: token } = await server.call('POST', `/projects/${server.project.id}/access_tokens`, {
    name: 'Developer',
    scopes: ['write_repository'],
    access_level: 30
  })
  const developer = await server.client(server.url(`any:${token.token}`))

  await owner.commit('a')
  await owner.ok('push', 'origin', 'main')
  await developer.commit('b')
  const forced = await developer.run('push', '--force', 'origin', 'main')

  t.equal(forced.code, 1)
  t.match(forced.stderr, /remote: You are not allowed to force push to the default branch/)
  const deleted = await owner.run('push', 'origin', ':main')

  t.equal(deleted.code, 1)
  t.match(deleted.stderr, /remote: The default branch cannot be deleted/)
  await developer.ok('push', 'origin', 'main:side')
  await developer.commit('c')
  await developer.ok('commit', '--quiet', '--amend', '-m', 'Other')
  await developer.ok('push', '--force', 'origin', 'main:side')
  await developer.ok('push', 'origin', ':side')
  await owner.ok('commit', '--quiet', '--amend', '-m', 'Other')
  await owner.ok('push', '--force', 'origin', 'main')
})

t.test('of two pushes to one branch at once, one wins', async t => {
  const server = await openGitServer(t)
  const [one, two] = [await server.client(), await server.client()]

  await one.commit('base')
  await one.ok('push', 'origin', 'main')
  await two.ok('pull', '--quiet', 'origin', 'main')
  await one.commit('one')
  await two.commit('two')
  const codes = await Promise.all([one, two].map(async client => (await client.run('push', 'origin', 'main')).code))

  t.same(codes.toSorted(), [0, 1])
  const winner = codes[0] === 0 ? one : two
  t.equal(await server.onServer('rev-parse', 'main'), await winner.ok('rev-parse', 'main'))
})

t.test('a repository that moves is read, and a push is told before it uploads', async t => {
  const server = await openGitServer(t)
  const client = await server.client()

  await client.commit('a')
  await client.ok('push', 'origin', 'main')
  await server.platform.fork().nativeUpdate(Repository, { projectId: server.project.id }, { isReadOnly: true })
  await client.commit('b')
  const refused = await client.run('push', 'origin', 'main')

  t.equal(refused.code, 128)
  t.match(refused.stderr, /remote: .*read-only while it moves to another storage; try again/)
  t.equal((await client.run('ls-remote', 'origin')).code, 0)
})

t.test('packs that trick other clients are refused', async t => {
  const server = await openGitServer(t)
  const client = await server.client()

  await client.commit('a')
  const blob = await client.ok('hash-object', '-w', 'a')
  const entry = (mode: string, name: string, sha: string) => Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(sha, 'hex')])
  const tricks: [string, Buffer][] = [
    ['.git', entry('100644', '.git', blob)],
    ['..', entry('100644', '..', blob)],
    ['.gitmodules link', entry('120000', '.gitmodules', blob)]
  ]

  for (const [name, bytes] of tricks) {
    await writeFile(join(client.path, 'raw-tree'), bytes)
    const tree = await client.ok('hash-object', '-t', 'tree', '--literally', '-w', 'raw-tree')
    const commit = await client.ok('commit-tree', tree, '-m', name)
    const refused = await client.run('push', 'origin', `${commit}:refs/heads/trick`)

    t.equal(refused.code, 1, name)
    t.match(refused.stderr, /fsck error/, name)
  }
  t.equal(await server.onServer('for-each-ref'), '')
})
