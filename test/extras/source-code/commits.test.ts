import t from 'tap'
import { openCodeProject } from '../../git-http/code.ts'
import { aPerson } from '../../projects/people.ts'
import { hasExactly } from '../../support/has-exactly.ts'

const create = (path: string, content = 'x') => ({ action: 'create', file_path: path, content })

t.test('the first commit creates the branch, later ones follow it', async t => {
  const { code, commit } = await openCodeProject(t)

  t.same((await code('GET', '/commits')).body, [])
  t.same((await code('GET', '/branches')).body, [])
  t.same((await code('GET', '/tree')).body, { message: '404 Tree Not Found' })
  const first = await commit(
    { 'README.md': '# Shop\n', 'src/a.ts': 'a\n' },
    { commit_message: 'Begin\n\nSigned-off-by: Ann <ann@example.com>' }
  )
  t.hasStrict(first, {
    title: 'Begin',
    message: 'Begin\n\nSigned-off-by: Ann <ann@example.com>',
    parent_ids: [],
    author_name: 'Administrator',
    trailers: { 'Signed-off-by': 'Ann <ann@example.com>' },
    stats: { additions: 2, deletions: 0, total: 2 }
  })
  t.match(first.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000\+00:00$/)
  const second = await commit({ 'src/a.ts': 'b\n' }, { author_name: 'Ann', author_email: 'ann@example.com' })
  t.hasStrict(second, {
    parent_ids: [first.id],
    author_name: 'Ann',
    committer_name: 'Administrator',
    stats: { additions: 1, deletions: 1, total: 2 }
  })

  const { body, headers } = await code('GET', '/commits')
  t.same(
    body.map(({ id }: { id: string }) => id),
    [second.id, first.id]
  )
  t.equal(headers['x-total'], undefined, 'commits are not counted')
  t.hasStrict((await code('GET', `/commits/${first.short_id}`)).body, { id: first.id, status: null })
  t.equal((await code('GET', '/commits/nothing')).status, 404)
})

t.test('commits are filtered by branch, path, author, time and range', async t => {
  const { code, commit } = await openCodeProject(t)
  const first = await commit({ 'a.txt': 'a', 'b/[x].txt': 'b' })
  const second = await commit({ 'a.txt': 'aa' }, { author_name: 'Ann (a+)', author_email: 'ann@example.com' })
  const third = await commit({ 'b/[x].txt': 'bb' }, { branch: 'topic', start_branch: 'main' })
  const ids = async (query: string) => (await code('GET', `/commits?${query}`)).body.map(({ id }: { id: string }) => id)

  t.same(await ids('ref_name=topic'), [third.id, second.id, first.id])
  t.same((await ids('all=true')).sort(), [third.id, second.id, first.id].sort())
  t.same(await ids('path=a.txt'), [second.id, first.id])
  t.same(await ids(`ref_name=topic&path=${encodeURIComponent('b/[x].txt')}`), [third.id, first.id], 'a path is no pattern')
  t.same(await ids(`path=${encodeURIComponent('*')}`), [])
  t.same(await ids('path=/b/'), [first.id], 'a directory')
  for (const path of ['..', '../x', 'a/../..', '.git', 'a//b', '\n']) {
    t.same(await ids(`path=${encodeURIComponent(path)}`), [], 'a path that cannot exist')
  }
  t.same(await ids(`author=${encodeURIComponent('ann (A+)')}`), [second.id], 'an author is no regular expression')
  t.same(await ids('ref_name=main..topic'), [third.id])
  t.same(await ids('ref_name=topic~1'), [second.id, first.id])
  t.same(await ids('since=2999-01-01'), [])
  t.same(await ids('until=2000-01-01'), [])
  t.same(await ids('per_page=1&page=2'), [first.id])
  t.hasStrict((await code('GET', '/commits?with_stats=true&per_page=1')).body, [{ stats: { additions: 1, deletions: 1, total: 2 } }])
  for (const ref of ['--all', ':/x', 'main^{/x}', 'main@{0}', '../x', 'no']) {
    t.equal((await code('GET', `/commits?ref_name=${encodeURIComponent(ref)}`)).status, 404, ref)
  }
})

t.test('a commit shows its changes, and the branches and tags that have it', async t => {
  const { code, commit } = await openCodeProject(t)
  const first = await commit({ 'a.txt': 'one\ntwo\n', 'old.txt': 'the same\nin both\n' })

  await code('POST', '/tags', { tag_name: 'v1', ref: 'main' })
  const actions = [
    { action: 'update', file_path: 'a.txt', content: 'one\n2\n' },
    { action: 'move', file_path: 'dir/ü "new".txt', previous_path: 'old.txt' },
    { action: 'create', file_path: 'b.bin', content: 'AAEC', encoding: 'base64' },
    { action: 'chmod', file_path: 'a.txt', execute_filemode: true }
  ]
  const { body: second } = await code('POST', '/commits', { branch: 'main', commit_message: 'Second', actions })
  hasExactly(t, (await code('GET', `/commits/${second.id}/diff`)).body, [
    { new_path: 'a.txt', a_mode: '100644', b_mode: '100755', new_file: false, diff: '@@ -1,2 +1,2 @@\n one\n-two\n+2\n' },
    { new_path: 'b.bin', new_file: true, diff: 'Binary files /dev/null and b/b.bin differ\n' },
    { old_path: 'old.txt', new_path: 'dir/ü "new".txt', renamed_file: true, diff: '' }
  ])
  hasExactly(t, (await code('GET', `/commits/${first.id}/diff`)).body, [
    { new_path: 'a.txt', new_file: true },
    { new_path: 'old.txt', new_file: true }
  ])
  t.same((await code('GET', `/commits/${first.id}/refs`)).body, [
    { type: 'branch', name: 'main' },
    { type: 'tag', name: 'v1' }
  ])
  t.same((await code('GET', `/commits/${first.id}/refs?type=tag`)).body, [{ type: 'tag', name: 'v1' }])
  t.same((await code('GET', `/commits/${second.id}/refs?type=tag`)).body, [])
})

t.test('a large difference is left out', async t => {
  const { code, commit } = await openCodeProject(t)
  const { id } = await commit({ 'large.txt': 'line\n'.repeat(50_000), 'small.txt': 'x\n' })

  hasExactly(t, (await code('GET', `/commits/${id}/diff`)).body, [
    { new_path: 'large.txt', too_large: true, diff: '' },
    { new_path: 'small.txt', too_large: false }
  ])
  const { id: huge } = await commit({ 'large.txt': 'longer line\n'.repeat(500_000) })
  hasExactly(t, (await code('GET', `/commits/${huge}/diff`)).body, [{ new_path: 'large.txt', too_large: true, diff: '' }])
})

t.test('an action that does not fit is refused, and nothing is written', async t => {
  const { code, commit } = await openCodeProject(t)
  const { id } = await commit({ 'a.txt': 'a', 'dir/b.txt': 'b', 'dir/c.txt': 'c' })
  const refusal = async (actions: object[], more: object = {}) => {
    const { status, body } = await code('POST', '/commits', { branch: 'main', commit_message: 'M', actions, ...more })

    return status === 400 ? body.message : status
  }

  t.equal(await refusal([create('a.txt')]), 'A file with this name already exists')
  t.equal(await refusal([create('dir')]), 'A directory with this name already exists')
  t.equal(await refusal([{ action: 'delete', file_path: 'dir/b.txt' }, create('dir')]), 'A directory with this name already exists')
  t.equal(await refusal([create('a.txt/x')]), 'A file with this name already exists')
  t.equal(await refusal([create('n'), create('n/x')]), 'A file with this name already exists')
  t.equal(await refusal([{ action: 'update', file_path: 'no', content: '' }]), "A file with this name doesn't exist")
  t.equal(await refusal([{ action: 'delete', file_path: 'dir' }]), "A file with this name doesn't exist")
  t.equal(await refusal([{ action: 'move', file_path: 'x', previous_path: 'no' }]), "A file with this name doesn't exist")
  for (const path of ['../x', '/x', 'x/', 'a//b', '.git/config', 'x/.GIT/hooks', 'git~1/x', '.', 'a\nb']) {
    t.equal(await refusal([create(path)]), 'file_path should be a valid file path', path)
  }
  t.equal(await refusal([{ action: 'update', file_path: 'a.txt' }]), 'actions[0][content] is missing')
  t.equal(await refusal([create('x')], { branch: 'new' }), 'You can only create or edit files when you are on a branch')
  t.equal(await refusal([create('x')], { branch: '--force', start_branch: 'main' }), 'Branch name is invalid')
  t.equal(await refusal([create('x')], { branch: 'new', start_branch: 'no' }), 'Invalid reference name: no')
  t.equal(
    await refusal([{ action: 'update', file_path: 'a.txt', content: 'x', last_commit_id: '0'.repeat(40) }]),
    'You are attempting to update a file that has changed since you started editing it.'
  )
  t.equal((await code('GET', '/branches/main')).body.commit.id, id, 'nothing changed')
  await commit({ 'dir/b.txt': null, 'dir/c.txt': null })
  t.equal(await refusal([create('dir')]), 201, 'a directory is gone with its last file')
})

t.test('a branch begins at another, and is replaced only by force', async t => {
  const { code, commit, project, ...world } = await openCodeProject(t)
  const ann = await aPerson(world, 'ann')
  const first = await commit({ 'a.txt': 'a' })
  const second = await commit({ 'a.txt': 'b' })
  const on = (branch: string, more: object, token?: string) =>
    code('POST', '/commits', { branch, commit_message: 'M', actions: [create(`${branch}.txt`)], ...more }, token)

  await world.call('POST', `/projects/${project.id}/members`, { user_id: ann.id, access_level: 30 })
  t.same((await on('topic', { start_sha: first.id })).body.parent_ids, [first.id])
  t.equal(
    (await on('topic', { start_branch: 'main' })).body.message,
    "A branch called 'topic' already exists. Switch to that branch in order to make changes"
  )
  t.same((await on('topic', { start_branch: 'main', force: true }, ann.token)).body.parent_ids, [second.id])
  t.equal((await on('main', { start_sha: first.id, force: true }, ann.token)).status, 403, 'the default branch is rewritten by maintainers')
  t.same((await on('main', { start_sha: first.id, force: true })).body.parent_ids, [first.id])
  t.equal((await on('main', { start_sha: first.id, start_branch: 'topic' })).status, 400)
})

t.test('of commits at the same time to the same branch, none is lost', async t => {
  const { code, commit } = await openCodeProject(t)

  await commit({ 'a.txt': 'a' })
  const answers = await Promise.all(
    [1, 2, 3, 4].map(n => code('POST', '/commits', { branch: 'main', commit_message: 'M', actions: [create(`${n}.txt`)] }))
  )
  const made = answers.filter(({ status }) => status === 201)

  t.ok(made.length > 0)
  for (const { status, body } of answers.filter(({ status }) => status !== 201)) {
    t.equal(status, 400)
    t.equal(body.message, 'Could not update refs/heads/main. Please refresh and try again.')
  }
  t.equal((await code('GET', '/commits')).body.length, made.length + 1)
})
