import t from 'tap'
import { openGitServer } from '../../git-http/git-clients.ts'
import { aPerson } from '../../identity/people.ts'

const files = [{ file_path: 'notes.md', content: 'Hello\n' }]

t.test('snippets of users and of projects are cloned and pushed', async t => {
  const server = await openGitServer(t)
  const { call, project } = server

  for (const place of ['', `/projects/${project.id}`]) {
    const { body: snippet } = await call('POST', `${place}/snippets`, { title: 'Notes', visibility: 'private', files })
    const path = new URL(snippet.http_url_to_repo).pathname.slice(1, -'.git'.length)
    const client = await server.client(server.url(undefined, path))

    await client.ok('pull', '--quiet', 'origin', 'main')
    t.equal(await client.ok('show', 'HEAD:notes.md'), 'Hello')
    await client.commit('second.txt')
    await client.ok('push', 'origin', 'main')
    const { body: changed } = await call('GET', `${place}/snippets/${snippet.id}`)

    t.same(
      changed.files.map(({ path }: { path: string }) => path),
      ['notes.md', 'second.txt']
    )
    t.ok(changed.updated_at > snippet.updated_at)
    t.same((await call('GET', `${place}/snippets/${snippet.id}/files/main/second.txt/raw`)).body, 'second.txt')
  }
})

t.test('a snippet has one branch, and one to ten files', async t => {
  const server = await openGitServer(t)
  const { body: snippet } = await server.call('POST', '/snippets', { title: 'Notes', files })
  const client = await server.client(server.url(undefined, `snippets/${snippet.id}`))
  const refusal = async (...args: string[]) => (await client.run('push', 'origin', ...args)).stderr

  await client.ok('pull', '--quiet', 'origin', 'main')
  t.match(await refusal('main:refs/heads/other'), 'remote: Only the branch main can be pushed')
  t.match(await refusal('main:refs/tags/v1'), 'remote: Only the branch main can be pushed')
  t.match(await refusal(':main'), 'remote: The default branch cannot be deleted')
  for (let n = 0; n < 10; n++) await client.commit(`file-${n}`)
  t.match(await refusal('main'), 'remote: At most 10 files are allowed')
  await client.ok('rm', '--quiet', '-r', '.')
  await client.ok('commit', '--quiet', '-m', 'Nothing')
  t.match(await refusal('main'), 'remote: At least one file is needed')
  t.same((await server.call('GET', `/snippets/${snippet.id}`)).body.files.length, 1)
})

t.test('those who see a snippet clone it, and those who may change it push', async t => {
  const server = await openGitServer(t)
  const { call, project } = server
  const author = await aPerson(call, 'author')
  const other = await aPerson(call, 'other')
  const reporter = await aPerson(call, 'reporter')

  await call('POST', `/projects/${project.id}/members`, { user_id: reporter.id, access_level: 20 })
  const ofAuthor = (visibility: string) =>
    call('POST', '/snippets', { title: visibility, visibility, files }, author.token).then(({ body }) => `snippets/${body.id}`)
  const ofProject = (await call('POST', `/projects/${project.id}/snippets`, { title: 'P', visibility: 'private', files })).body.id
  const rows: [path: string, user: { token: string } | undefined, read: number, write: number][] = [
    [await ofAuthor('private'), author, 0, 0],
    [await ofAuthor('private'), other, 404, 404],
    [await ofAuthor('private'), undefined, 401, 401],
    [await ofAuthor('public'), undefined, 0, 401],
    [await ofAuthor('public'), other, 0, 403],
    [`root/shop/snippets/${ofProject}`, reporter, 0, 403],
    [`root/shop/snippets/${ofProject}`, other, 404, 404],
    [`snippets/${ofProject}`, reporter, 404, 404]
  ]

  for (const [path, user, read, write] of rows) {
    const ask = async (service: string) => {
      const headers = user && { authorization: `Basic ${Buffer.from(`any:${user.token}`).toString('base64')}` }
      const { status } = await fetch(`http://127.0.0.1:${server.port}/${path}.git/info/refs?service=${service}`, { headers })

      return status === 200 ? 0 : status
    }

    t.same([await ask('git-upload-pack'), await ask('git-receive-pack')], [read, write], `${path} for ${user?.token ?? 'no one'}`)
  }
})

t.test('the address of a snippet follows its project', async t => {
  const server = await openGitServer(t)
  const { call, project } = server
  const { body: snippet } = await call('POST', `/projects/${project.id}/snippets`, { title: 'P', visibility: 'private', files })

  await call('PUT', `/projects/${project.id}`, { path: 'store' })
  const client = await server.client(server.url(undefined, `root/shop/snippets/${snippet.id}`))

  await client.ok('pull', '--quiet', 'origin', 'main')
})
