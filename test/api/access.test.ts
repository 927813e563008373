import t from 'tap'
import { openApp } from '../support/world.ts'
import { table, walkRoutes } from './access-table.ts'
import { nameless, routesOf } from './routes.ts'
import { credentials, roles } from './town.ts'

t.test('every route has the expected status for each role and scope, and for two kinds of credential in turn', t =>
  walkRoutes(t, row => [...roles, ...[0, 1].map(n => credentials[(2 * row + n) % credentials.length]!)])
)

t.test('the table lists every route', async t => {
  const { app } = await openApp(t)
  const found = routesOf(app)
  const listed = new Set(Object.keys(table).map(nameless))

  t.ok(found.length >= 40, 'routes were found at all')
  for (const route of found) t.ok(listed.has(nameless(route)), route)
})
