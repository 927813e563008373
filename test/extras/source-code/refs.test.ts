import t from 'tap'
import { openCodeProject } from '../../git-http/code.ts'
import { aPerson } from '../../projects/people.ts'
import { hasExactly } from '../../support/has-exactly.ts'

t.test('branches are created, listed, searched and deleted', async t => {
  const { code, commit } = await openCodeProject(t)
  const { id } = await commit({ 'a.txt': 'a' })
  const create = (branch: string, ref = 'main') => code('POST', '/branches', { branch, ref })
  const names = async (query: string) => (await code('GET', `/branches?${query}`)).body.map(({ name }: { name: string }) => name)

  const { status, body } = await create('feature/one')
  t.equal(status, 201)
  t.hasStrict(body, { name: 'feature/one', merged: false, protected: false, developers_can_push: false, default: false, can_push: true })
  t.equal(body.commit.id, id)
  await create('zoo', id)
  t.same(await names(''), ['feature/one', 'main', 'zoo'])
  t.same(await names('search=O'), ['feature/one', 'zoo'])
  t.same(await names(`search=${encodeURIComponent('^z')}`), ['zoo'])
  t.same(await names(`search=${encodeURIComponent('one$')}`), ['feature/one'])
  t.same(await names(`search=${encodeURIComponent('^main$')}`), ['main'])
  t.same(await names('per_page=1&page=2'), ['main'])
  t.equal((await code('GET', '/branches?regex=.')).status, 400)
  t.hasStrict((await code('GET', '/branches/main')).body, { default: true, protected: true, developers_can_push: true, merged: false })
  t.equal((await code('GET', '/branches/feature%2Fone')).body.name, 'feature/one')
  t.equal((await code('GET', '/branches/feature')).status, 404)

  t.same((await create('main')).body.message, 'Branch already exists')
  t.same((await create('x', 'no')).body.message, 'Invalid reference name: no')
  t.same((await create('x', '--upload-pack=x')).body.message, 'Invalid reference name: --upload-pack=x')
  for (const name of ['-x', 'a..b', 'a b', 'x.lock', 'HEAD', '@', 'a@{1}', '/x', 'a~1', 'a:b']) {
    t.same((await create(name)).body.message, 'Branch name is invalid', name)
  }
  t.equal((await create('zoo/below')).status, 400, 'a branch cannot be below another')

  t.equal((await code('DELETE', '/branches/zoo')).status, 204)
  t.equal((await code('DELETE', '/branches/zoo')).status, 404, 'twice is once')
  t.hasStrict(await code('DELETE', '/branches/main'), { status: 405, body: { message: 'Cannot remove HEAD branch' } })
})

t.test('merged branches are deleted together', async t => {
  const { code, commit } = await openCodeProject(t)

  await commit({ 'a.txt': 'a' })
  await code('POST', '/branches', { branch: 'merged', ref: 'main' })
  await commit({ 'a.txt': 'b' })
  await commit({ 'a.txt': 'c' }, { branch: 'ahead', start_branch: 'main' })
  await code('POST', '/branches', { branch: 'same', ref: 'main' })
  const merged = async () =>
    (await code('GET', '/branches')).body.map(({ name, merged }: { name: string; merged: boolean }) => [name, merged])

  t.same(await merged(), [
    ['ahead', false],
    ['main', false],
    ['merged', true],
    ['same', false]
  ])
  t.hasStrict(await code('DELETE', '/merged_branches'), { status: 202, body: { message: '202 Accepted' } })
  t.same(
    (await merged()).map(([name]: [string]) => name),
    ['ahead', 'main', 'same']
  )
})

t.test('tags are lightweight or annotated, and listed in an order', async t => {
  const { code, commit } = await openCodeProject(t)
  const { id } = await commit({ 'a.txt': 'a' })
  const create = (tag_name: string, more: object = {}) => code('POST', '/tags', { tag_name, ref: 'main', ...more })
  const names = async (query: string) => (await code('GET', `/tags?${query}`)).body.map(({ name }: { name: string }) => name)

  t.hasStrict(await create('v1.10'), { status: 201, body: { name: 'v1.10', message: null, target: id, created_at: null, commit: { id } } })
  const { body: annotated } = await create('v1.9', { message: 'Nine\n\nThe details' })
  t.hasStrict(annotated, { message: 'Nine\n\nThe details', commit: { id } })
  t.not(annotated.target, id)
  t.ok(Date.parse(annotated.created_at) > 0)
  t.same((await code('GET', '/tags/v1.9')).body, annotated)
  t.same(await names('order_by=name&sort=asc'), ['v1.10', 'v1.9'])
  t.same(await names('order_by=version&sort=asc'), ['v1.9', 'v1.10'])
  t.same(await names('search=10'), ['v1.10'])
  t.same((await create('v1.9')).body.message, 'Tag v1.9 already exists')
  t.same((await create('v 1')).body.message, 'Tag name invalid')
  t.same((await create('v2', { ref: 'no' })).body.message, 'Target no is invalid')
  t.equal((await code('DELETE', '/tags/v1.9')).status, 204)
  t.equal((await code('DELETE', '/tags/v1.9')).status, 404, 'twice is once')
  t.equal((await code('GET', '/tags/v1.9')).status, 404)
})

t.test('an empty repository has no branches and tags', async t => {
  const { code } = await openCodeProject(t)

  t.same((await code('GET', '/branches')).body, [])
  t.same((await code('GET', '/tags')).body, [])
  t.equal((await code('GET', '/branches/main')).status, 404)
  t.equal((await code('DELETE', '/branches/x')).status, 404)
  t.equal((await code('DELETE', '/tags/x')).status, 404)
  t.equal((await code('DELETE', '/merged_branches')).status, 202)
  t.same((await code('POST', '/tags', { tag_name: 'x', ref: 'main' })).status, 400)
  t.same((await code('POST', '/branches', { branch: 'x', ref: 'no' })).body.message, 'Invalid reference name: no')
  t.same((await code('POST', '/branches', { branch: 'a..b', ref: 'main' })).body.message, 'Branch name is invalid')
  t.same((await code('GET', '/branches')).body, [])
})

t.test('the first branch of an empty repository begins at its default branch, which has an empty README', async t => {
  const { code } = await openCodeProject(t)

  const { status, body } = await code('POST', '/branches', { branch: 'x', ref: 'main' })
  t.same([status, body.name, body.commit.title], [201, 'x', 'Add README.md'])
  const branches = (await code('GET', '/branches')).body as { name: string; commit: { id: string } }[]
  t.same(
    branches.map(({ name, commit }) => [name, commit.id]),
    [
      ['main', body.commit.id],
      ['x', body.commit.id]
    ]
  )
  t.equal((await code('GET', '/files/README.md?ref=x')).body.size, 0)
})

t.test('the code of a private project is for reporters, that of a public one for all; writing is for developers', async t => {
  const { code, commit, project, ...world } = await openCodeProject(t)
  const guest = await aPerson(world, 'gus')
  const reporter = await aPerson(world, 'rea')
  const developer = await aPerson(world, 'dev')
  const stranger = await aPerson(world, 'sam')
  const read = async (token: string | null) => (await code('GET', '/branches/main', undefined, token)).status
  const write = async (token: string | null) => (await code('POST', '/branches', { branch: 'x', ref: 'no' }, token)).status

  await commit({ 'a.txt': 'a' })
  for (const [{ id }, level] of [
    [guest, 10],
    [reporter, 20],
    [developer, 30]
  ] as const) {
    await world.call('POST', `/projects/${project.id}/members`, { user_id: id, access_level: level })
  }
  const tokens = [guest, reporter, developer, stranger].map(({ token }) => token)
  t.same(await Promise.all([...tokens, null].map(read)), [403, 200, 200, 404, 404])
  t.same(await Promise.all([...tokens, null].map(write)), [403, 403, 400, 404, 401])
  await world.call('PUT', `/projects/${project.id}`, { visibility: 'public' })
  t.same(await Promise.all([...tokens, null].map(read)), [200, 200, 200, 200, 200])
  t.same(await Promise.all([...tokens, null].map(write)), [403, 403, 400, 403, 401])
  hasExactly(t, (await code('GET', '/branches/main', undefined, guest.token)).body, { can_push: false })
})
