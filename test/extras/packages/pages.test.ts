import t from 'tap'
import { byteSize } from '#lib/counted.ts'
import { Visitor } from '../../pages/visitor.ts'
import { openApp } from '../../support/world.ts'

t.test('packages and their files are pages, at the path that the API names', async t => {
  const { app, call } = await openApp(t, { env: { DATA_DIR: t.testdir() } })
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })
  const path = `/projects/${project.id}/packages`
  const visitor = new Visitor(app)

  await visitor.signIn()
  t.match((await visitor.get(path)).body, /No packages yet/)
  await call('PUT', `${path}/generic/tool/1.0/docs/readme.txt`, { a: 'file' })
  const [found] = (await call('GET', path)).body
  t.match((await visitor.get(path)).body, new RegExp(`href="${path}/${found.id}"><strong>tool</strong></a> 1\\.0`))

  const { statusCode, headers } = await visitor.get(found._links.web_path)
  t.equal(statusCode, 302)
  const { body } = await visitor.get(String(headers.location))
  const [, href] = /href="([^"]+)" download/.exec(body)!
  t.match((await visitor.get(href!)).body, /"a":\s*"file"/)
  t.equal((await visitor.get(`${path}/${found.id + 1}`)).statusCode, 404)
})

t.test('sizes are written as people read them', async t => {
  const sizes = {
    0: '0 bytes',
    1: '1 byte',
    1023: '1023 bytes',
    1024: '1.0 KiB',
    1536: '1.5 KiB',
    307200: '300 KiB',
    1073741824: '1.0 GiB'
  }

  for (const [bytes, text] of Object.entries(sizes)) t.equal(byteSize(Number(bytes)), text)
})
