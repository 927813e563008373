import t from 'tap'
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
  t.match(
    all,
    /--request POST \\\n.*PRIVATE-TOKEN.*\\\n.*--form .*file=@&#60;file&#62;.*\\\n.*\/projects\/1\/alert_management_alerts\/\d+\/metric_images/
  )
  t.match(all, '<em>required</em> ID or URL-encoded path.')
  t.match(all, '<td>boolean</td>', 'types that are converted are left out')
  t.notMatch(all, 'boolean or string')
  t.equal((await app.inject('/help/api/nothing')).statusCode, 404)
})
