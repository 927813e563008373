import { join } from 'node:path'
import t from 'tap'
import { deleteImagesOfDeleted } from '#extras/registry/delete-images.ts'
import { deleteSelectedTags } from '#extras/registry/delete-tags.ts'
import { aPerson } from '../../identity/people.ts'
import { rootToken } from '../../support/world.ts'
import { hasRegistry, openRegistry, skopeoOf, writeImage } from './a-registry.ts'

const skip = hasRegistry() ? false : 'docker-registry, skopeo or openssl is not installed'

t.test('skopeo copies an image in and out; its tags are listed, described and deleted', { skip }, async t => {
  const registry = await openRegistry(t)
  const { call, project, dir, host } = registry
  const root = skopeoOf(registry, `root:${rootToken}`)
  const path = project.path_with_namespace
  const image = writeImage(join(dir, 'image'), 'a layer')

  t.same((await call('GET', `/projects/${project.id}/registry/repositories`)).body, [])
  for (const tag of ['1.0', '1.1', 'latest']) t.equal(await root.push('image', `${path}/web:${tag}`), undefined)
  t.equal(await root.pull(`${path}/web:latest`, 'back'), undefined)

  const { body } = await call('GET', `/projects/${project.id}/registry/repositories?tags=true&tags_count=true`)
  t.equal(body.length, 1)
  t.hasStrict(body[0], { name: 'web', path: `${path}/web`, project_id: project.id, location: `${host}/${path}/web`, tags_count: 3 })
  t.same(body[0].tags[0], { name: '1.0', path: `${path}/web:1.0`, location: `${host}/${path}/web:1.0` })
  t.hasStrict((await call('GET', `/registry/repositories/${body[0].id}?tags_count=true`)).body, { tags_count: 3 })

  const tags = `/projects/${project.id}/registry/repositories/${body[0].id}/tags`
  const names = async () => (await call('GET', tags)).body.map(({ name }: { name: string }) => name)
  t.same(await names(), ['1.0', '1.1', 'latest'])
  t.hasStrict((await call('GET', `${tags}/1.0`)).body, {
    name: '1.0',
    digest: image.digest,
    total_size: image.size,
    created_at: '2026-01-02T03:04:05.000Z'
  })
  t.equal((await call('GET', `${tags}/none`)).status, 404)
  t.equal((await call('GET', `${tags}/a%2F..`)).status, 400)

  t.equal((await call('DELETE', `${tags}/1.1`)).status, 200)
  t.same(await names(), ['1.0', 'latest'], 'other tags of the same image stay')
  t.equal(await root.pull(`${path}/web:1.0`, 'again'), undefined)
  t.equal((await call('DELETE', `${tags}/1.1`)).status, 404)
})

t.test('tags are deleted by their names and ages, but not latest', { skip }, async t => {
  const registry = await openRegistry(t)
  const { call, project, dir, config, platform } = registry
  const root = skopeoOf(registry, `root:${rootToken}`)

  writeImage(join(dir, 'image'), 'a layer')
  for (const tag of ['1.0', '1.1', '2.0', 'latest']) await root.push('image', `${project.path_with_namespace}:${tag}`)
  const [{ id }] = (await call('GET', `/projects/${project.id}/registry/repositories`)).body
  const tags = `/projects/${project.id}/registry/repositories/${id}/tags`
  const names = async () => (await call('GET', tags)).body.map(({ name }: { name: string }) => name)
  const clean = (selection: object) =>
    deleteSelectedTags(
      platform.fork(),
      { repositoryId: id, nameRegexDelete: '.*', ...selection },
      { registry: config.registry, at: new Date('2026-01-03'), signal: AbortSignal.timeout(60_000) }
    )

  for (const query of ['', 'name_regex_delete=(', 'name_regex_delete=.*&older_than=soon', 'name_regex_delete=.*&keep_n=-1']) {
    t.equal((await call('DELETE', `${tags}?${query}`)).status, 400, query)
  }
  t.hasStrict(await call('DELETE', `${tags}?name_regex_delete=none`), { status: 202, body: { message: '202 Accepted' } })
  await clean({ olderThanSeconds: 7 * 24 * 3600 })
  await clean({ latestKept: 3 })
  await clean({ nameRegexDelete: '1' })
  t.same(await names(), ['1.0', '1.1', '2.0', 'latest'], 'too young, kept, and not the whole name')
  for (const _ of [1, 2]) {
    await clean({ nameRegexDelete: String.raw`1\..*`, nameRegexKeep: '.*1' })
    t.same(await names(), ['1.1', '2.0', 'latest'], 'twice is once')
  }
  await clean({ olderThanSeconds: 3600 })
  t.same(await names(), ['latest'])
})

t.test('pages of tags are by keyset both ways, and by offset before 18.0', { skip }, async t => {
  for (const version of ['17.11', '18.0']) {
    const registry = await openRegistry(t, { SERVICE_VERSION: version })
    const { call, project, dir } = registry
    const root = skopeoOf(registry, `root:${rootToken}`)

    writeImage(join(dir, 'image'), 'a layer')
    for (const tag of ['a', 'b', 'c']) await root.push('image', `${project.path_with_namespace}:${tag}`)
    const [{ id }] = (await call('GET', `/projects/${project.id}/registry/repositories`)).body
    const list = async (query: string) => {
      const { status, headers, body } = await call('GET', `/projects/${project.id}/registry/repositories/${id}/tags?${query}`)
      const [, next] = /\?(\S+)>; rel="next"/.exec(String(headers.link)) ?? []

      return { status, next, names: status === 200 ? body.map(({ name }: { name: string }) => name) : body }
    }

    for (const [sort, pages] of Object.entries({ asc: [['a', 'b'], ['c']], desc: [['c', 'b'], ['a']] })) {
      const first = await list(`pagination=keyset&order_by=name&sort=${sort}&per_page=2`)
      t.same(first.names, pages[0])
      const second = await list(first.next!)
      t.same(second.names, pages[1])
      t.equal(second.next, undefined)
    }
    const byOffset = await list('page=2&per_page=2')
    if (version < '18') t.same(byOffset.names, ['c'])
    else t.equal(byOffset.status, 405)
    t.same((await list('per_page=2')).names, ['a', 'b'])
  }
})

t.test('images are pulled by those who read the code and pushed by developers, with tokens that have the scope', { skip }, async t => {
  const registry = await openRegistry(t)
  const { call, project, dir } = registry
  const path = project.path_with_namespace
  const developer = await aPerson(call, 'developer')
  const reporter = await aPerson(call, 'reporter')
  const stranger = await aPerson(call, 'stranger')
  const deployToken = async (scope: string) => {
    const { body } = await call('POST', `/projects/${project.id}/deploy_tokens`, { name: scope, scopes: [scope] })

    return `${body.username}:${body.token}`
  }

  for (const [{ id }, level] of [
    [developer, 30],
    [reporter, 20]
  ] as const)
    await call('POST', `/projects/${project.id}/members`, { user_id: id, access_level: level })
  const { body: narrow } = await call('POST', `/users/${developer.id}/personal_access_tokens`, { name: 'n', scopes: ['read_registry'] })
  writeImage(join(dir, 'image'), 'a layer')
  const as = (credentials: string | undefined) => skopeoOf(registry, credentials)
  const may = async (credentials: string | undefined) => {
    const client = as(credentials)
    const [pulled, pushed] = [await client.pull(`${path}:1`, 'x'), await client.push('image', `${path}:2`)]

    return [pulled === undefined, pushed === undefined]
  }

  t.equal(await as(`developer:${developer.token}`).push('image', `${path}:1`), undefined)
  t.same(await may(`developer:${developer.token}`), [true, true])
  t.same(await may(`developer:${narrow.token}`), [true, false])
  t.same(await may(`reporter:${reporter.token}`), [true, false])
  t.same(await may(`stranger:${stranger.token}`), [false, false])
  t.same(await may(await deployToken('read_registry')), [true, false])
  t.same(await may(await deployToken('write_registry')), [true, true])
  t.same(await may(await deployToken('read_repository')), [false, false])
  t.same(await may('root:wrong-password'), [false, false])
  t.same(await may(undefined), [false, false])
  await call('PUT', `/projects/${project.id}`, { visibility: 'public' })
  t.same(await may(undefined), [true, false])
})

t.test('images of a deleted repository or project are deleted, and a new project of the same name never has them', { skip }, async t => {
  const registry = await openRegistry(t)
  const { call, project, dir, platform, config } = registry
  const root = skopeoOf(registry, `root:${rootToken}`)
  const path = project.path_with_namespace

  writeImage(join(dir, 'image'), 'a layer')
  await root.push('image', `${path}/web:1`)
  const [{ id }] = (await call('GET', `/projects/${project.id}/registry/repositories`)).body
  t.equal((await call('DELETE', `/projects/${project.id}/registry/repositories/${id}`)).status, 202)
  t.match(await root.pull(`${path}/web:1`, 'x'), /denied|unauthorized/)
  await deleteImagesOfDeleted(platform.fork(), config.registry, AbortSignal.timeout(20_000))
  t.same((await call('GET', `/projects/${project.id}/registry/repositories`)).body, [])
  t.match(await root.pull(`${path}/web:1`, 'x'), /unknown|not found/)

  await root.push('image', `${path}/web:2`)
  await platform.pool
    .query(`DELETE FROM ${config.namespace}.projects WHERE id = $1`, [project.id])
    .catch(() => platform.pool.query('DELETE FROM projects WHERE id = $1', [project.id]))
  await call('POST', '/projects', { name: 'Shop' })
  t.match(await root.pull(`${path}/web:2`, 'x'), /denied|unauthorized/)
  await deleteImagesOfDeleted(platform.fork(), config.registry, AbortSignal.timeout(20_000))
  t.match(await root.pull(`${path}/web:2`, 'x'), /unknown|not found/)
})

t.test('a registry that does not answer is a clear 503', { skip }, async t => {
  const registry = await openRegistry(t)
  const { call, project, dir, config } = registry

  writeImage(join(dir, 'image'), 'a layer')
  await skopeoOf(registry, `root:${rootToken}`).push('image', `${project.path_with_namespace}:1`)
  const [{ id }] = (await call('GET', `/projects/${project.id}/registry/repositories`)).body
  config.registry!.url = 'http://127.0.0.1:1'
  const { status, body } = await call('GET', `/projects/${project.id}/registry/repositories/${id}/tags`)

  t.equal(status, 503)
  t.match(body.message, /the container registry does not answer/)
})
