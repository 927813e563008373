import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { OpenAPIV3_1 } from 'openapi-types'
import t from 'tap'
import Type from 'typebox'
import { Check } from 'typebox/value'
import { openapi } from '#api/openapi/openapi.ts'
import { CommaSeparated } from '#api/parameters/coerce.ts'
import { Time } from '#api/parameters/time.ts'
import { openApp } from '../support/world.ts'
import { openConventionalApp } from './conventional-app.ts'

const Nullable = <T extends Type.TSchema>(type: T) => Type.Union([type, Type.Null()])
const members = {
  text: Type.String({ maxLength: 20 }),
  word: Type.String({ pattern: '^[a-z]+$' }),
  name: Type.String({ pattern: '\\S' }),
  time: Time(),
  flag: Type.Boolean(),
  count: Type.Integer(),
  ratio: Type.Number(),
  sort: Type.Enum(['asc', 'desc']),
  level: Type.Enum([10, 20]),
  role: Type.Unsafe<number>(Type.Integer({ enum: [10, 20] })),
  never: Type.Literal(false),
  note: Nullable(Type.String()),
  title: Nullable(Type.String({ minLength: 1 })),
  due: Nullable(Type.Integer()),
  order: Nullable(Type.Enum(['asc', 'desc'])),
  either: Type.Union([Type.Integer(), Type.Boolean()]),
  tags: Type.Array(Type.String()),
  scopes: CommaSeparated(Type.String()),
  ids: Type.Array(Type.Integer()),
  variables: Type.Array(Type.Object({ key: Type.String(), secret: Type.Optional(Type.Boolean()) })),
  labels: Type.Record(Type.String(), Type.Integer()),
  owner: Type.Object({ name: Type.String() }),
  anything: Type.Unknown()
}
const values = [
  null,
  true,
  0,
  1,
  5,
  10,
  1.5,
  2 ** 53,
  '',
  '5',
  '10',
  '1.5',
  'on',
  'false',
  'asc',
  'perhaps not',
  '2026-01-02',
  [],
  ['a'],
  ['5'],
  [5],
  ['1,2'],
  [null],
  [true],
  [{}],
  [{ key: 5, secret: null }],
  [{ key: null }],
  {},
  { one: '1' },
  { one: null },
  { one: 'x' },
  { name: 5 },
  { name: null },
  { name: {} }
]
const summary = 'Echo'

const routes: FastifyPluginAsyncTypebox = async app => {
  await app.register(openapi)
  app.get('/document', { schema: { summary, tags: ['Test'] } }, async () => app.apiDocument())
  for (const [name, member] of Object.entries(members)) {
    const schema = { summary, tags: ['Test'], response: { 200: Type.Unknown() } }

    app.post(`/required/${name}`, { schema: { ...schema, body: Type.Object({ [name]: member }) } }, async () => ({}))
    app.post(`/optional/${name}`, { schema: { ...schema, body: Type.Object({ [name]: Type.Optional(member) }) } }, async () => ({}))
  }
}

t.test('the document allows exactly the values that the API accepts', async t => {
  const { ask } = await openConventionalApp(t, routes)
  const { paths } = (await ask('GET', '/document')).body as OpenAPIV3_1.Document
  let accepted = 0

  for (const kind of ['required', 'optional']) {
    for (const name of Object.keys(members)) {
      const { content } = paths![`/api/v4/test/${kind}/${name}`]!.post!.requestBody as OpenAPIV3_1.RequestBodyObject
      const documented = content['application/json']!.schema as object

      for (const value of values) {
        const { status } = await ask('POST', `/${kind}/${name}`, { payload: { [name]: value } })

        t.equal(status === 200, Check(documented, { [name]: value }), `${kind} ${name}: ${JSON.stringify(value)} → ${status}`)
        accepted += Number(status === 200)
      }
    }
  }
  t.ok(accepted > values.length)
})

t.test('the usual type stands first, and null only where a parameter is optional', async t => {
  const { app } = await openApp(t)
  const { paths } = (await app.inject('/api/v4/openapi.json')).json()
  const { content } = paths['/api/v4/projects/{id}/error_tracking/saved_searches'].post.requestBody

  t.hasStrict(content['application/json'].schema.properties, {
    name: { type: ['string', 'number'] },
    shared: { type: ['boolean', 'string', 'integer', 'null'] }
  })
})
