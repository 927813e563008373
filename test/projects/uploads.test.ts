import t from 'tap'
import { deleteOrphanUploads } from '../../src/projects/uploads/project-upload.ts'
import { hasExactly } from '../support/has-exactly.ts'
import { openApp, rootToken } from '../support/world.ts'
import { aPerson } from './people.ts'

t.test('a file is uploaded, downloaded by those who see the project, listed and deleted', async t => {
  const world = await openApp(t)
  const { app, call, platform, config } = world
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })
  const [ann, bob] = [await aPerson(world, 'ann'), await aPerson(world, 'bob')]
  const path = `/projects/${project.id}/uploads`
  const upload = async (token: string, data: string | Buffer, name: string, field = 'file') => {
    const payload = new FormData()

    payload.append(field, new Blob([data as never]), name)
    const response = await app.inject({ method: 'POST', url: `/api/v4${path}`, payload, headers: { 'private-token': token } })

    return { status: response.statusCode, body: response.json() }
  }
  const download = (url: string, token: string) => app.inject({ url, headers: { 'private-token': token } })

  await call('POST', `/projects/${project.id}/members`, { user_id: ann.id, access_level: 10 })
  t.equal((await upload(ann.token, 'x', 'a.txt')).status, 403, 'guests upload nothing')
  t.equal((await upload(rootToken, 'x', 'a.txt', 'other')).status, 400)
  const { status, body: file } = await upload(rootToken, 'contents', '../my notes.html')
  t.equal(status, 201)
  t.match(file.url, /^\/uploads\/[0-9a-f]{32}\/my_notes\.html$/)
  hasExactly(t, file, { alt: 'my_notes.html', markdown: `[my_notes.html](${file.url})` })

  const shown = await download(file.full_path, ann.token)
  t.equal(shown.body, 'contents')
  t.hasStrict(shown.headers, {
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename="my_notes.html"; filename*=UTF-8''my_notes.html`,
    'x-content-type-options': 'nosniff'
  })
  t.equal((await download(file.full_path, bob.token)).statusCode, 404)
  t.equal((await download(file.full_path.replace(/[0-9a-f]{32}/, '0'.repeat(32)), ann.token)).statusCode, 404)
  t.equal((await upload(rootToken, Buffer.alloc(10 * 1024 * 1024 + 1), 'big.bin')).status, 413)

  hasExactly(t, (await call('GET', path)).body, [{ id: file.id, size: 8, filename: 'my_notes.html', uploaded_by: { username: 'root' } }])
  await deleteOrphanUploads(platform.fork(), config, new Date(Date.now() + 7200_000))
  t.equal((await download(file.full_path, ann.token)).statusCode, 200)
  t.equal((await call('DELETE', `${path}/${file.id}`)).status, 204)
  t.equal((await call('DELETE', `${path}/${file.id}`)).status, 404, 'twice is once')
  t.equal((await download(file.full_path, ann.token)).statusCode, 404)
})
