import { createHash } from 'node:crypto'
import { utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { Gitlab } from '@gitbeaker/rest'
import t, { type Test } from 'tap'
import { deleteOrphanPackageFiles } from '#extras/packages/change-packages.ts'
import { aPerson } from '../../identity/people.ts'
import { newFiles } from '../../support/folders.ts'
import { listen } from '../../support/listen.ts'
import { rootToken } from '../../support/world.ts'
import { openCiProject } from '../ci/ci-project.ts'
import { aRunner } from '../ci/runner-client.ts'

const root: Record<string, string> = { 'private-token': rootToken }

async function openPublisher(t: Test, env: Record<string, string> = {}) {
  const world = await openCiProject(t, 'release: {script: x}', { env })
  const send = async (
    method: 'PUT' | 'GET' | 'HEAD' | 'DELETE',
    url: string,
    payload?: Buffer | string,
    headers: Record<string, string> = root
  ) => {
    const response = await world.app.inject({
      method,
      url: `/api/v4/projects/${world.project.id}/packages${url}`,
      payload: payload as Buffer,
      headers
    })

    return { status: response.statusCode, headers: response.headers, raw: response.rawPayload, body: parse(response.body) }
  }
  const put = (path: string, content: Buffer | string, headers = root, query = '') =>
    send('PUT', `/generic/${path}${query}`, content, headers)
  const files = await newFiles(join(world.config.dataDir, 'uploads', world.config.namespace, 'packages'))

  return { ...world, send, put, files }
}

function parse(text: string) {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

t.test('files of any type are published under a name and a version, listed, downloaded and deleted', async t => {
  const { send, put, project, files, platform, config } = await openPublisher(t)
  const content = Buffer.from([0, 1, 2, 255, 10])

  t.same((await put('tool/1.0.0/tool.bin', content)).body, { message: '201 Created' })
  const { status, body: file } = await put(
    'tool/1.0.0/docs/read_me.txt',
    '{"not": "read"}',
    { ...root, 'content-type': 'application/json' },
    '?select=package_file'
  )
  t.equal(status, 201)
  t.hasStrict(file, { file_name: 'docs/read_me.txt', size: 15, file_sha256: createHash('sha256').update('{"not": "read"}').digest('hex') })

  const { body: packages, headers } = await send('GET', '')
  t.equal(headers['x-total'], '1')
  t.hasStrict(packages[0], {
    name: 'tool',
    version: '1.0.0',
    package_type: 'generic',
    status: 'default',
    _links: { web_path: `/${project.path_with_namespace}/-/packages/${packages[0].id}` }
  })
  t.equal(packages[0].last_downloaded_at, null)
  t.same((await send('GET', `/${packages[0].id}`)).body, packages[0])

  const download = await send('GET', '/generic/tool/1.0.0/tool.bin')
  t.same(download.raw, content)
  t.match(download.headers['content-disposition'], /attachment.*tool\.bin/)
  t.equal((await send('HEAD', '/generic/tool/1.0.0/tool.bin')).headers['content-length'], '5')
  t.equal((await send('GET', '/generic/tool/1.0.0/docs/read_me.txt')).raw.toString(), '{"not": "read"}')
  t.equal((await send('GET', '/generic/tool/1.0.1/tool.bin')).status, 404)
  t.ok((await send('GET', `/${packages[0].id}`)).body.last_downloaded_at)

  await put('tool/1.0.0/tool.bin', 'newer')
  t.equal((await send('GET', '/generic/tool/1.0.0/tool.bin')).raw.toString(), 'newer', 'the latest counts')
  const { body: listed } = await send('GET', `/${packages[0].id}/package_files`)
  t.same(
    listed.map((one: { file_name: string }) => one.file_name),
    ['tool.bin', 'docs/read_me.txt', 'tool.bin']
  )
  t.equal((await send('DELETE', `/${packages[0].id}/package_files/${listed[2].id}`)).status, 204)
  t.same((await send('GET', '/generic/tool/1.0.0/tool.bin')).raw, content)
  t.equal((await files()).length, 2)

  t.equal((await send('DELETE', `/${packages[0].id}`)).status, 204)
  t.equal((await send('GET', `/${packages[0].id}`)).status, 404)
  t.equal((await send('GET', '/generic/tool/1.0.0/tool.bin')).status, 404)
  for (const path of await files()) await utimes(path, new Date(0), new Date(0))
  await deleteOrphanPackageFiles(platform.fork(), config, new Date())
  t.same(await files(), [])
})

t.test('a form is accepted, as are bodies without a type and without content', async t => {
  const { send, put } = await openPublisher(t)
  const form = new FormData()

  form.set('file', new Blob(['of a form']), 'a.txt')
  const body = new Response(form)
  const type = body.headers.get('content-type')!

  t.equal((await put('a/1/form.txt', Buffer.from(await body.arrayBuffer()), { ...root, 'content-type': type })).status, 201)
  t.equal((await send('GET', '/generic/a/1/form.txt')).raw.toString(), 'of a form')
  t.equal((await put('a/1/text.txt', 'a=b', { ...root, 'content-type': 'application/x-www-form-urlencoded' })).status, 201)
  t.equal((await send('GET', '/generic/a/1/text.txt')).raw.toString(), 'a=b')
  t.equal((await send('PUT', '/generic/a/1/none.txt')).status, 201)
  t.equal((await send('GET', '/generic/a/1/none.txt')).raw.length, 0)
})

t.test('bad names are refused, and nothing is left of what is too large', async t => {
  const { put, send, files } = await openPublisher(t, { PACKAGE_FILE_MAX_BYTES: '2048', PACKAGES_PROJECT_MAX_BYTES: '3000' })

  for (const path of [
    'a%20b/1/c',
    'a/1%2F2/c',
    'a/..%2F/c',
    'a/1/b/%2e%2e%2fc',
    'a/1/%00',
    `${'a'.repeat(256)}/1/c`,
    'a/1/b//c',
    'a/1/ä'
  ]) {
    const { status, body } = await put(path, 'x')

    t.ok([400, 404].includes(status), `${path} ${status}`)
    t.ok(body.error ?? body.message, path)
  }
  t.equal((await put('a/1/large', 'x'.repeat(2049))).status, 413)
  t.equal((await put('a/1/b', 'x'.repeat(2048))).status, 201)
  const { status, body } = await put('a/1/c', 'x'.repeat(1000))
  t.equal(status, 413)
  t.match(JSON.stringify(body), /too many packages/)
  t.equal((await files()).length, 1)
  t.equal((await put('a/1/b', 'x', root, '?status=odd')).status, 400)
  t.equal((await put('a/1/e', 'x', root, '?status=hidden')).status, 201)
  t.same((await send('GET', '')).body, [], 'hidden')
  t.equal((await send('GET', '?status=hidden')).body.length, 1)
  t.equal((await send('GET', '?package_type=maven&status=hidden')).body.length, 0)
  t.equal((await send('GET', '?package_type=unknown')).status, 400)
})

t.test('jobs publish with their tokens, and the package lists its pipelines', async t => {
  const { app, project, rest, run, send, put } = await openPublisher(t)
  const runner = await aRunner({ app, rest, project })
  const pipelines = []

  for (const name of ['a', 'b', 'c']) {
    pipelines.unshift(await run())
    const { body: job } = await runner.take()

    t.equal((await put(`tool/1/${name}`, name, { 'job-token': job.token })).status, 201)
    t.equal((await send('GET', `/generic/tool/1/${name}`, undefined, { 'job-token': job.token })).status, 200)
    await runner.report(job, 'success')
    t.equal((await put('tool/1/late', name, { 'job-token': job.token })).status, 401, 'while it runs')
  }
  const [{ id, pipeline }] = (await send('GET', '')).body
  const ids = pipelines.map(({ id }) => id)
  t.equal(pipeline.id, ids[0])
  t.same(
    (await send('GET', `/${id}/pipelines`)).body.map((one: { id: number }) => one.id),
    ids
  )

  const page = await send('GET', `/${id}/pipelines?pagination=keyset&order_by=id&sort=desc&per_page=2`)
  t.same(
    page.body.map((one: { id: number }) => one.id),
    ids.slice(0, 2)
  )
  const [, next] = /^<[^>]*\/packages([^>]*)>; rel="next"$/.exec(page.headers.link as string)!
  const last = await send('GET', next!)
  t.same(
    last.body.map((one: { id: number }) => one.id),
    ids.slice(2)
  )
  t.equal(last.headers.link, undefined)
  t.equal((await send('GET', `/${id}/pipelines?pagination=keyset&order_by=id&sort=asc`)).status, 405)
})

t.test('packages are seen by those who read the code, published by developers and deleted by maintainers', async t => {
  const { project, rest, send, put } = await openPublisher(t)
  const people = Object.fromEntries(
    await Promise.all(
      Object.entries({ guest: 10, reporter: 20, developer: 30, maintainer: 40, stranger: 0 }).map(async ([name, level]) => {
        const { id, token } = await aPerson(rest, name)

        if (level > 0) await rest('POST', `/projects/${project.id}/members`, { user_id: id, access_level: level })

        return [name, { 'private-token': token }] as const
      })
    )
  )
  await put('tool/1/a', 'x')
  const [{ id }] = (await send('GET', '')).body
  const statuses = async (call: (headers: Record<string, string>) => Promise<{ status: number }>) =>
    Object.fromEntries(await Promise.all(Object.entries(people).map(async ([name, headers]) => [name, (await call(headers)).status])))

  const readers = { guest: 403, reporter: 200, developer: 200, maintainer: 200, stranger: 404 }
  for (const url of ['', `/${id}`, `/${id}/package_files`, `/${id}/pipelines`, '/generic/tool/1/a'])
    t.same(await statuses(headers => send('GET', url, undefined, headers)), readers, url)
  t.same(await statuses(headers => put('tool/1/b', 'x', headers)), {
    guest: 403,
    reporter: 403,
    developer: 201,
    maintainer: 201,
    stranger: 404
  })
  const { maintainer: _, ...others } = await statuses(headers =>
    headers === people.maintainer ? Promise.resolve({ status: 0 }) : send('DELETE', `/${id}`, undefined, headers)
  )
  t.same(others, { guest: 403, reporter: 403, developer: 403, stranger: 404 })
  t.equal((await send('DELETE', `/${id}`, undefined, people.maintainer)).status, 204)
})

t.test("@gitbeaker/rest publishes, lists and downloads, also over a group's projects", async t => {
  const { app, project, rest, put } = await openPublisher(t)
  const { body: group } = await rest('POST', '/groups', { name: 'Makers', path: 'makers' })
  const { body: inGroup } = await rest('POST', '/projects', { name: 'In', namespace_id: group.id })
  const host = await listen(app)
  const gitlab = new Gitlab({ host, token: rootToken })

  await gitlab.PackageRegistry.publish(inGroup.id, 'tool', '1.0', { filename: 'tool.txt', content: new Blob(['hello']) })
  await put('else/1/a', 'x')
  const [listed] = await gitlab.Packages.all({ groupId: group.id })
  t.hasStrict(listed, { name: 'tool', version: '1.0', project_path: inGroup.path_with_namespace })
  t.equal((await gitlab.Packages.all({ projectId: project.id })).length, 1)
  const [file] = await gitlab.Packages.allFiles(inGroup.id, listed!.id)
  t.equal(file!.file_name, 'tool.txt')
  t.equal(await ((await gitlab.PackageRegistry.download(inGroup.id, 'tool', '1.0', 'tool.txt')) as unknown as Blob).text(), 'hello')
  await gitlab.Packages.removeFile(inGroup.id, listed!.id, file!.id)
  await gitlab.Packages.remove(inGroup.id, listed!.id)
  t.same(await gitlab.Packages.all({ groupId: group.id }), [])
})
