import t from 'tap'
import { readScopes } from '#extras/registry/read-scopes.ts'
import { openApp } from '../support/world.ts'

/** Members of every object, which a table must not be asked for. */
const inherited = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf']

interface Parameter {
  name: string
  in: string
  schema?: { enum?: unknown[] }
}

t.test('a parameter with a list of values accepts no name that every object has', async t => {
  const { app, call } = await openApp(t)
  const { paths } = (await app.inject('/api/v4/openapi.json')).json()
  const queries = Object.entries(paths as Record<string, { get?: { parameters?: Parameter[] } }>).flatMap(([path, { get }]) =>
    (get?.parameters ?? [])
      .filter(parameter => parameter.in === 'query' && (parameter.schema?.enum || parameter.name === 'order_by'))
      .map(({ name }) => ({ path: path.replace('/api/v4', '').replaceAll(/\{\w+\}/g, '1'), name }))
  )

  t.ok(queries.length > 50, `${queries.length} parameters`)
  for (const [n, { path, name }] of queries.entries()) {
    const value = inherited[n % inherited.length]!
    const { status } = await call('GET', `${path}?${name}=${value}`)

    t.ok(status === 400 || status === 404 || (status === 200 && orderless.test(path)), `${path}?${name}=${value}: ${status}`)
  }
})

/** Lists with one order, which ignore `order_by` but for keyset pages. */
const orderless = /\/(audit_events|jobs|pipelines|tags)$/

t.test('names from outside find only what a table has', async t => {
  for (const name of inherited) {
    t.same(readScopes(`repository:a/b:${name.toLowerCase()}`), /^[a-z]+$/i.test(name) ? [{ path: 'a/b', actions: [] }] : [], name)
  }
  t.same(readScopes('repository:a/b:pull,constructor'), [{ path: 'a/b', actions: ['pull'] }])
})
