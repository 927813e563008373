import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { deflateSync, gunzipSync } from 'node:zlib'
import t from 'tap'
import { findRepository } from '#repositories/find-repository.ts'
import { openRepository } from '#repositories/open-repository.ts'
import { openCodeProject } from '../../git-http/code.ts'
import { hasExactly } from '../../support/has-exactly.ts'

const encoded = encodeURIComponent

t.test('the tree lists directories first, a folder, or everything, by pages', async t => {
  const { code, commit } = await openCodeProject(t)

  await commit({ 'a.txt': 'a', 'src/b.ts': 'b', 'src/deep/c.ts': 'c', 'z/d.txt': 'd' })
  const paths = async (query: string) => (await code('GET', `/tree?${query}`)).body.map(({ path }: { path: string }) => path)

  t.same(await paths(''), ['src', 'z', 'a.txt'])
  hasExactly(t, (await code('GET', '/tree?path=src')).body, [
    { name: 'deep', type: 'tree', path: 'src/deep', mode: '040000' },
    { name: 'b.ts', type: 'blob', path: 'src/b.ts', mode: '100644' }
  ])
  t.same(await paths('path=src/&recursive=true'), ['src/b.ts', 'src/deep', 'src/deep/c.ts'])
  t.same(await paths('recursive=true&per_page=3&page=2'), ['src/deep', 'src/deep/c.ts', 'z'])
  t.hasStrict(await code('GET', '/tree?path=no'), { status: 404, body: { message: '404 invalid revision or path Not Found' } })
  t.hasStrict(await code('GET', '/tree?path=a.txt'), { status: 404 })
  t.hasStrict(await code('GET', '/tree?ref=no'), { status: 404, body: { message: '404 Tree Not Found' } })

  const listed: string[] = []
  let url = '/tree?recursive=true&pagination=keyset&per_page=2'
  for (;;) {
    const { body, headers } = await code('GET', url)
    const [, next] = /<[^>]*\/repository(\/tree[^>]*)>; rel="next"/.exec(String(headers.link ?? '')) ?? []

    listed.push(...body.map(({ path }: { path: string }) => path))
    if (!next) break
    url = next
  }
  t.same(listed, ['a.txt', 'src', 'src/b.ts', 'src/deep', 'src/deep/c.ts', 'z', 'z/d.txt'])
  t.equal((await code('GET', '/tree?pagination=keyset&page_token=no')).status, 400)
})

t.test('a file is created, shown, updated and deleted', async t => {
  const { code, get } = await openCodeProject(t)
  const file = `/files/${encoded('src/ü b.txt')}`
  const base = { branch: 'main', commit_message: 'M' }

  t.hasStrict(await code('POST', file, { ...base, content: 'one\n' }), { status: 201, body: { file_path: 'src/ü b.txt', branch: 'main' } })
  t.equal((await code('POST', file, { ...base, content: 'x' })).body.message, 'A file with this name already exists')
  const { body, headers } = await code('GET', `${file}?ref=main`)
  const { body: tip } = await code('GET', '/commits/main')
  t.hasStrict(body, {
    file_name: 'ü b.txt',
    file_path: 'src/ü b.txt',
    size: 4,
    encoding: 'base64',
    content: Buffer.from('one\n').toString('base64'),
    content_sha256: hash('sha256', 'one\n'),
    ref: 'main',
    commit_id: tip.id,
    last_commit_id: tip.id,
    execute_filemode: false
  })
  t.hasStrict(headers, {
    'x-gitlab-blob-id': body.blob_id,
    'x-gitlab-commit-id': tip.id,
    'x-gitlab-content-sha256': body.content_sha256,
    'x-gitlab-encoding': 'base64',
    'x-gitlab-file-name': '%C3%BC b.txt',
    'x-gitlab-size': '4',
    'x-service-size': '4'
  })
  const update = (more: object) => code('PUT', file, { ...base, content: 'Mg==', encoding: 'base64', ...more })
  t.equal((await update({ last_commit_id: '0'.repeat(40) })).status, 400)
  t.equal((await update({ last_commit_id: tip.id })).status, 200)
  t.equal((await get(`${file}/raw`)).body, '2')
  t.equal((await get(`${file}/raw?ref=main~1`)).body, 'one\n')
  t.equal((await get(`${file}/raw?ref=no`)).statusCode, 404)
  t.equal((await code('DELETE', file, { ...base, commit_message: 'Gone' })).status, 204)
  t.equal((await code('DELETE', file, base)).status, 400, 'twice is once')
  t.hasStrict(await code('GET', `${file}?ref=main`), { status: 404, body: { message: '404 File Not Found' } })
  t.hasStrict(await code('GET', `${file}?ref=no`), { status: 404, body: { message: '404 Commit Not Found' } })
  t.equal((await code('GET', file)).status, 400, 'the ref is required')
})

t.test('HEAD tells about a file without sending it, and read_repository is enough to read files', async t => {
  const { app, call, commit, get, project } = await openCodeProject(t)

  await commit({ 'a.txt': 'abc' })
  const { body: token } = await call('POST', '/users/1/personal_access_tokens', { name: 'Clone', scopes: ['read_repository'] })
  const headers = { 'private-token': token.token }
  const url = `/api/v4/projects/${project.id}/repository/files/a.txt`
  const answer = await app.inject({ method: 'HEAD', url: `${url}?ref=main`, headers })

  t.equal(answer.statusCode, 200)
  t.equal(answer.body, '')
  t.equal(answer.headers['x-gitlab-size'], '3')
  t.equal((await app.inject({ method: 'HEAD', url: `${url}/raw?ref=main`, headers })).statusCode, 200)
  t.equal((await get('/files/a.txt/raw', headers)).body, 'abc')
  t.equal((await get('/branches', headers)).statusCode, 403)
})

t.test('a blob that is too large to send as JSON is refused by its size alone, before it is read', async t => {
  const { code, commit, platform, project } = await openCodeProject(t)
  const sha = 'ab'.repeat(20)
  const size = 600_000_000

  await commit({ 'a.txt': 'a' })
  const directory = (await openRepository(platform.git, await findRepository(platform.fork(), { projectId: project.id })))!
  await mkdir(join(directory, 'objects', 'ab'), { recursive: true })
  // Only its first bytes exist: git could not read it to its end.
  await writeFile(join(directory, 'objects', 'ab', sha.slice(2)), deflateSync(`blob ${size}\0${'\0'.repeat(100)}`))

  t.hasStrict(await code('GET', `/blobs/${sha}`), {
    status: 422,
    body: { message: '422 Unprocessable Entity - the file is larger than 10 MiB: use the raw file' }
  })
  t.equal((await code('GET', `/commits/${sha}`)).status, 404, 'it is no commit')
})

t.test('raw files are text or bytes to download, never a page', async t => {
  const { code, get } = await openCodeProject(t)
  const bytes = Buffer.from([0, 255, 1])
  const actions = [
    { action: 'create', file_path: 'a.html', content: '<script>alert(1)</script>' },
    { action: 'create', file_path: 'a.bin', content: bytes.toString('base64'), encoding: 'base64' },
    { action: 'create', file_path: 'large.txt', content: 'x'.repeat(3_000_000) }
  ]

  await code('POST', '/commits', { branch: 'main', commit_message: 'M', actions })
  const html = await get('/files/a.html/raw')
  t.hasStrict(html.headers, {
    'content-type': 'text/plain; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'content-disposition': `attachment; filename="a.html"; filename*=UTF-8''a.html`,
    'content-security-policy': "default-src 'none'; sandbox"
  })
  const binary = await get('/files/a.bin/raw')
  t.equal(binary.headers['content-type'], 'application/octet-stream')
  t.same(binary.rawPayload, bytes)
  const large = await get('/files/large.txt/raw')
  t.equal(large.headers['content-length'], '3000000')
  t.equal(large.rawPayload.length, 3_000_000)

  const { body: file } = await code('GET', '/files/a.html?ref=main')
  hasExactly(t, (await code('GET', `/blobs/${file.blob_id}`)).body, { size: 25, encoding: 'base64', content: file.content })
  t.equal((await get(`/blobs/${file.blob_id}/raw`)).body, '<script>alert(1)</script>')
  t.equal((await get('/blobs/main/raw')).statusCode, 404)
  t.equal((await get(`/blobs/${'0'.repeat(40)}`)).statusCode, 404)
})

t.test('a file too large for JSON is refused, and one too large for a request', async t => {
  const { code, get, platform, project } = await openCodeProject(t)

  t.equal((await code('POST', '/files/a', { branch: 'main', commit_message: 'M', content: 'x'.repeat(21_000_000) })).status, 413)
  await code('POST', '/files/a', { branch: 'main', commit_message: 'M', content: 'x'.repeat(11_000_000) })
  t.hasStrict(await code('GET', '/files/a?ref=main'), { status: 422 })
  t.equal((await get('/files/a/raw')).rawPayload.length, 11_000_000)
  t.equal((await code('GET', '/files/a/blame?ref=main')).status, 422)
  t.equal(platform.git.transfers.waiting, 0)
  t.ok(project.id)
})

t.test('blame names the commit of each line', async t => {
  const { code, commit } = await openCodeProject(t)
  const first = await commit({ 'a.txt': 'one\ntwo\nthree\n' })
  const second = await commit({ 'a.txt': 'one\n2\nthree\n' })
  const { body } = await code('GET', '/files/a.txt/blame?ref=main')

  t.same(
    body.map(({ commit, lines }: { commit: { id: string }; lines: string[] }) => [commit.id, lines]),
    [
      [first.id, ['one']],
      [second.id, ['2']],
      [first.id, ['three']]
    ]
  )
  t.same((await code('GET', '/files/a.txt/blame?ref=main&range[start]=2&range[end]=2')).body.length, 1)
  t.equal((await code('GET', '/files/a.txt/blame?ref=main&range[start]=3&range[end]=2')).status, 400)
  t.equal((await code('GET', '/files/a.txt/blame?ref=main&range[start]=9&range[end]=9')).status, 404)
})

t.test('two branches are compared since they parted, or as they are', async t => {
  const { code, commit } = await openCodeProject(t)
  const base = await commit({ 'a.txt': 'a\n' })
  const topic = await commit(
    { 'topic.txt': 't\n' },
    { branch: 'topic', start_branch: 'main', author_name: 'Ann', author_email: 'ann@example.com' }
  )

  await commit({ 'main.txt': 'm\n' })
  const compare = async (query: string) => (await code('GET', `/compare?${query}`)).body
  hasExactly(t, await compare('from=main&to=topic'), {
    commit: { id: topic.id },
    commits: [{ id: topic.id }],
    diffs: [{ new_path: 'topic.txt' }],
    compare_same_ref: false,
    compare_timeout: false
  })
  hasExactly(t, (await compare('from=main&to=topic&straight=true')).diffs, [
    { new_path: 'main.txt', deleted_file: true },
    { new_path: 'topic.txt' }
  ])
  hasExactly(t, await compare('from=main&to=main'), { commit: null, commits: [], diffs: [], compare_same_ref: true })
  t.equal((await code('GET', '/compare?from=no&to=main')).status, 404)

  t.equal((await code('GET', '/merge_base?refs[]=main&refs[]=topic')).body.id, base.id)
  t.equal((await code('GET', '/merge_base?refs[]=main')).status, 400)
  t.equal((await code('GET', '/merge_base?refs[]=main&refs[]=no')).status, 404)
})

t.test('an archive holds the files of a commit, and its download is recorded', async t => {
  const { code, commit, call, get, project } = await openCodeProject(t)

  await commit({ 'a.txt': 'a', 'dir/b.txt': 'bb' })
  const { body: tip } = await code('GET', '/commits/main')
  const name = `shop-main-${tip.id}`
  const namesIn = (tar: Buffer) => execFileSync('tar', ['-t'], { input: tar }).toString().trim().split('\n')

  const answer = await get('/archive.tar.gz')
  t.equal(answer.headers['content-type'], 'application/gzip')
  t.equal(answer.headers['content-disposition'], `attachment; filename="${name}.tar.gz"; filename*=UTF-8''${name}.tar.gz`)
  t.same(namesIn(gunzipSync(answer.rawPayload)), [`${name}/`, `${name}/a.txt`, `${name}/dir/`, `${name}/dir/b.txt`])
  t.same(namesIn((await get('/archive.tar?path=dir')).rawPayload).at(-1), `${name}-dir/dir/b.txt`)
  t.same((await get('/archive.zip?sha=main')).rawPayload.subarray(0, 2).toString(), 'PK')
  t.ok(gunzipSync((await get('/archive')).rawPayload).length > 0)
  for (const query of ['?sha=no', '?path=no', '?path=--output%3Dx', '?sha=--output%3Dx']) {
    t.equal((await get(`/archive.zip${query}`)).statusCode, 404, query)
  }
  t.equal((await get('/archive.tar.bz2')).statusCode, 404)
  const events = async () => {
    const { body } = await call('GET', `/projects/${project.id}/audit_events?per_page=100`)

    return body.filter((event: { event_name: string }) => event.event_name === 'repository_download_operation').length
  }
  t.equal(await events(), 4)
  await call('PUT', `/projects/${project.id}`, { visibility: 'public' })
  t.equal((await get('/archive.zip')).statusCode, 200)
  t.equal(await events(), 4, 'downloads of public projects are not recorded since 17.0')
})

t.test('below 17.0, downloads of public projects are recorded too', async t => {
  const { commit, call, get, project } = await openCodeProject(t, { visibility: 'public' }, { env: { SERVICE_VERSION: '16.11' } })

  await commit({ 'a.txt': 'a' })
  t.equal((await get('/archive.zip', {})).statusCode, 200)
  const { body } = await call('GET', `/projects/${project.id}/audit_events`)

  t.equal(body[0].event_name, 'repository_download_operation')
})
