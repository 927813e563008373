import t from 'tap'
import { Visitor } from '../../pages/visitor.ts'
import { aPerson } from '../../projects/people.ts'
import { openApp } from '../../support/world.ts'

t.test('a snippet is a page for all who may see it, and its files are text', async t => {
  const { app, ...world } = await openApp(t, { env: { REPOSITORY_STORAGES: `default:${t.testdir()}` } })
  const ann = await aPerson(world, 'ann')
  const files = [
    { file_path: 'a.html', content: '<script>alert(1)</script>' },
    { file_path: 'large.txt', content: 'x'.repeat(200_000) }
  ]
  const { body: snippet } = await ann.call('POST', '/snippets', { title: '<b>Mine</b>', files, visibility: 'public' })
  const get = (url: string) => app.inject({ url, headers: { accept: 'text/html' } })

  const shown = await get(`/-/snippets/${snippet.id}`)
  t.equal(shown.statusCode, 200)
  t.ok(shown.body.includes('&#60;script&#62;alert(1)&#60;/script&#62;'))
  t.ok(shown.body.includes('&#60;b&#62;Mine&#60;/b&#62;'))
  t.ok(shown.body.includes('This file is large, or not text.'))
  await ann.call('PUT', `/snippets/${snippet.id}`, { visibility: 'private' })
  t.equal((await get(`/-/snippets/${snippet.id}`)).statusCode, 404)
  t.equal((await get('/-/snippets/999999')).statusCode, 404)

  const root = new Visitor(app)
  await root.signIn()
  t.ok((await root.get('/-/snippets')).body.includes('You have no snippets yet.'))
  await world.call('POST', '/snippets', { title: 'Of root', content: 'x' })
  t.ok((await root.get('/-/snippets')).body.includes('Of root'))
  t.equal((await root.get(`/-/snippets/${snippet.id}`)).statusCode, 200, 'admins see all')
})

t.test('the snippet of a private project is hidden like the project', async t => {
  const { app, call } = await openApp(t, { env: { REPOSITORY_STORAGES: `default:${t.testdir()}` } })
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })
  const { body: snippet } = await call('POST', `/projects/${project.id}/snippets`, { title: 'T', content: 'x', visibility: 'public' })
  const get = () => app.inject({ url: `/-/snippets/${snippet.id}`, headers: { accept: 'text/html' } })

  t.equal((await get()).statusCode, 404)
  await call('PUT', `/projects/${project.id}`, { visibility: 'public' })
  t.equal((await get()).statusCode, 200)
})
