import { readFileSync, writeFileSync } from 'node:fs'
import t from 'tap'
import { openApp } from '../support/world.ts'
import { examples } from './access-examples.ts'
import { nameOf, statementsOf, walkRoutes } from './access-walk.ts'
import { nameless, routesOf } from './routes.ts'
import { credentials, roles } from './town.ts'

const snapshot = 'test/api/access.snapshot.txt'

t.test('every route is answered as it states for each role and scope, and for two kinds of credential in turn', async t => {
  const lines = await walkRoutes(t, row => [...roles, ...[0, 1].map(n => credentials[(2 * row + n) % credentials.length]!)])
  const text = lines.map(line => `${line}\n`).join('')

  // The statement and what enforces it may be weakened together: then this file shows it.
  if (process.env.SNAPSHOTS) writeFileSync(snapshot, text)
  t.same(
    text.split('\n'),
    readFileSync(snapshot, 'utf8').split('\n'),
    `${snapshot}, which SNAPSHOTS=1 npm test -- test/api/access.test.ts writes`
  )
})

t.test('every route states its access, and every example is one of a route', async t => {
  const { app } = await openApp(t)
  const found = routesOf(app)
  const statements = await statementsOf(app)
  const stated = statements.filter(({ role }) => role).map(nameOf)
  const known = new Set(stated.map(nameless))

  t.ok(found.length >= 40, 'routes were found at all')
  for (const route of found) t.ok(known.has(nameless(route)), route)
  for (const route of Object.keys(examples)) t.ok(stated.includes(route), `example of ${route}`)
})
