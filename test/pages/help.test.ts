import type { AddressInfo } from 'node:net'
import t from 'tap'
import { noBrowser, openBrowser } from '../support/browser.ts'
import { listen } from '../support/listen.ts'
import { openApp } from '../support/world.ts'

t.test('every operation of the API is documented with a curl command', async t => {
  const { app } = await openApp(t)
  const { paths, tags } = (await app.inject('/api/v4/openapi.json')).json()
  const contents = (await app.inject('/help/api')).body
  const parts = await Promise.all(
    tags.map(({ name }: { name: string }) => app.inject(`/help/api/${name.toLowerCase().replaceAll(' ', '-')}`).then(({ body }) => body))
  )
  const all = parts.join('')

  for (const [path, item] of Object.entries<Record<string, { operationId: string }>>(paths)) {
    for (const { operationId } of Object.values(item)) {
      t.ok(contents.includes(`#${operationId}"`), `${operationId} is among the contents`)
      t.ok(all.includes(`id="${operationId}"`), `${operationId} has its place`)
    }
    t.ok(all.includes(`'http://tocsin.test${path.split('{')[0]}`.replaceAll("'", '&#39;')), `${path} has a line to try`)
  }
  t.match(
    all,
    /--request PUT \\\n.*PRIVATE-TOKEN.*\\\n.*--json .*active\S+true,\S+integrated\S+true.*\\\n.*\/projects\/1\/error_tracking\/settings/
  )
  t.match(all, /Role: Maintainer · Scopes: api/)
  t.match(all, /--request POST \\\n.*PRIVATE-TOKEN.*\\\n.*--form .*file=@&#60;file&#62;.*\\\n.*\/projects\/1\/uploads/)
  t.match(all, '<em>required</em> Id or URL-encoded path.')
  t.match(all, '<td>boolean</td>', 'types that are converted are left out')
  t.notMatch(all, 'boolean or string')
  t.equal((await app.inject('/help/api/nothing')).statusCode, 404)
})

t.test('the API documentation fits a phone without horizontal scrolling', async t => {
  if (noBrowser) return void t.comment(noBrowser)
  const { app } = await openApp(t)

  await listen(app)
  const page = await (await openBrowser(t)).newPage({ viewport: { width: 390, height: 800 } })

  for (const path of ['/help/api', '/help/api/error-tracking', '/help/deprecations', '/help/specification']) {
    await page.goto(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}${path}`)
    const [content, window] = (await page.evaluate('[document.documentElement.scrollWidth, innerWidth]')) as [number, number]

    t.ok(content <= window, path)
  }
})
