import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import t from 'tap'
import Type from 'typebox'
import { CommaSeparated } from '#api/parameters/coerce.ts'
import { rootToken } from '../support/world.ts'
import { openConventionalApp } from './conventional-app.ts'

const Nullable = <T extends Type.TSchema>(type: T) => Type.Optional(Type.Union([type, Type.Null()]))
const Wanted = Type.Object({
  flag: Nullable(Type.Boolean()),
  strict: Type.Optional(Type.Boolean()),
  count: Type.Optional(Type.Integer({ minimum: 1 })),
  due: Nullable(Type.Integer()),
  ratio: Type.Optional(Type.Number({ maximum: 100 })),
  name: Type.Optional(Type.String({ maxLength: 20 })),
  note: Nullable(Type.String()),
  since: Type.Optional(Type.String({ format: 'date-time' })),
  sort: Type.Optional(Type.Enum(['asc', 'desc'])),
  level: Nullable(Type.Enum([10, 20])),
  kind: Type.Optional(Type.Literal(4)),
  tags: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { maxItems: 5 })),
  scopes: Type.Optional(CommaSeparated(Type.String())),
  ids: Type.Optional(Type.Array(Type.Integer())),
  labels: Type.Optional(Type.Record(Type.String(), Type.Integer())),
  variables: Type.Optional(Type.Array(Type.Object({ key: Type.String(), secret: Type.Optional(Type.Boolean()) }))),
  size: Type.Integer({ default: 20 })
})
const Both = Type.Intersect([Type.Object({ a: Type.Integer() }), Type.Object({ b: Type.Boolean() })])
const Numbered = Type.Object({ number: Type.Integer() })
const Either = Type.Object({ id: Type.Union([Type.String(), Type.Integer()]), on: Nullable(Type.Union([Type.Boolean(), Type.Integer()])) })

const routes: FastifyPluginAsyncTypebox = async app => {
  app.get('/echo', { schema: { querystring: Wanted } }, async request => request.query)
  app.post('/echo', { schema: { body: Wanted } }, async request => request.body)
  app.put('/echo', { schema: { body: Wanted } }, async request => request.body)
  app.delete('/echo', async request => request.body)
  app.post('/raw', async request => request.body)
  app.post('/either', { schema: { body: Either } }, async request => request.body)
  app.post('/both', { schema: { body: Both } }, async request => request.body)
  app.post(
    '/list',
    { schema: { body: Type.Union([Type.Object({ n: Type.Integer() }), Type.Array(Type.Object({ n: Type.Integer() }))]) } },
    async request => (Array.isArray(request.body) ? { items: request.body } : request.body)
  )
  app.get('/at/:path', async request => request.params)
  app.post(
    '/numbered/:number/list',
    { schema: { params: Numbered, body: Wanted, querystring: Type.Object({ page: Type.Optional(Type.Integer()) }) } },
    async request => request.params
  )
  app.get('/numbered/:number/list', { schema: { params: Numbered, querystring: Wanted } }, async request => request.params)
  app.get('/numbered/:number', { schema: { params: Numbered } }, async request => request.params)
}

const { ask } = await openConventionalApp(t, routes)
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const json = { 'content-type': 'application/json' }

t.test('query, form, multipart and JSON are parsed alike', async t => {
  const expected = {
    name: 'a b',
    flag: true,
    tags: ['x', 'y+z'],
    labels: { one: 1 },
    variables: [{ key: 'K', secret: false }, { key: 'L' }]
  }
  const text =
    'name=a+b&flag=on&tags[]=x&tags%5B%5D=y%2Bz&labels[one]=1&variables[0][key]=K&variables[0][secret]=f&variables[1][key]=L&unknown=1'
  const parts = new FormData()

  for (const [name, value] of new URLSearchParams(text)) parts.append(name, value)
  const answers = {
    query: await ask('GET', `/echo?${text}`),
    'query of a PUT': await ask('PUT', `/echo?${text}`),
    form: await ask('POST', '/echo', { payload: text, headers: form }),
    multipart: await ask('POST', '/echo', { payload: parts }),
    json: await ask('POST', '/echo', { payload: expected })
  }

  for (const [way, answer] of Object.entries(answers)) t.hasStrict(answer, { status: 200, body: { ...expected, size: 20 } }, way)
})

t.test('strings are coerced to the types of the schema', async t => {
  const read = async (query: string) => (await ask('GET', `/echo?${query}`)).body

  for (const yes of ['true', 'TRUE', '1', 't', 'on', 'yes']) t.equal((await read(`strict=${yes}`)).strict, true, yes)
  for (const no of ['false', '0', 'f', 'off', 'no']) t.equal((await read(`strict=${no}`)).strict, false, no)
  t.hasStrict(await read('count=12&ratio=-1.5&level=20&kind=4'), { count: 12, ratio: -1.5, level: 20, kind: 4 })
  t.hasStrict(await read('tags=a,b&scopes=a,%20b,&ids[]=1,2&ids[]=3'), { tags: ['a,b'], scopes: ['a', 'b'], ids: [1, 2, 3] })
  t.same((await read('tags=')).tags, [], 'nothing is an empty list')
  t.same(await read('strict=&count=&ratio=&due='), { due: null, size: 20 }, 'an empty text is no number and no boolean')
  t.equal((await read('note=')).note, '', 'but it is a text')
  t.hasStrict(await read('since=2026-01-02T03:04:05%2B02:00'), { since: '2026-01-02T03:04:05+02:00' })
  t.same(await read('since=2026-01-02T03:04:05+02:00'), { error: 'since is invalid', message: { since: ['is invalid'] } })
})

t.test('null is kept for nullable fields of JSON, and other values are coerced', async t => {
  const read = async (payload: object) => (await ask('POST', '/echo', { payload })).body

  t.same(await read({ flag: null, note: null, due: null, level: null }), { flag: null, note: null, due: null, level: null, size: 20 })
  t.same(await read({ strict: null, name: null, count: null, tags: null, sort: null, kind: null, size: null }), { size: 20 })
  t.hasStrict(await read({ strict: 1, count: '3', name: 5, note: 6, due: '7', tags: 'one' }), {
    strict: true,
    count: 3,
    name: '5',
    note: '6',
    due: 7,
    tags: ['one']
  })
  for (const given of [
    { id: 5, on: 5 },
    { id: '5', on: null },
    { id: 'x', on: false }
  ]) {
    t.same((await ask('POST', '/either', { payload: given })).body, given, 'what fits one way is left as it is')
  }
  t.equal((await ask('POST', '/either', { payload: { id: true, on: '1' } })).status, 400, 'a boolean is no text')
  t.same((await ask('POST', '/both', { payload: { a: '1', b: 'on', c: 'kept' } })).body, { a: 1, b: true, c: 'kept' })
})

t.test('an invalid parameter is named', async t => {
  const refused = async (payload: object) => {
    const { status, body } = await ask('POST', '/echo', { payload })

    t.equal(status, 400)

    return body
  }

  for (const count of ['x', '1.5', 1.5, 1e300, 9007199254740993n.toString(), '0x10', [1], {}]) {
    t.hasStrict(await refused({ count }), { error: 'count is invalid', message: { count: ['is invalid'] } }, String(count))
  }
  t.hasStrict(await refused({ strict: 'perhaps', sort: 'up', level: 30 }), {
    error: 'strict is invalid, sort does not have a valid value, level does not have a valid value'
  })
  t.hasStrict(await refused({ due: 'x', note: {}, ratio: 'x' }), { error: 'due is invalid, ratio is invalid, note is invalid' })
  t.hasStrict(await refused({ variables: [{ key: 'K' }, {}] }), {
    error: 'variables[1][key] is missing',
    message: 'variables[1][key] is missing'
  })
  t.hasStrict(await refused({ variables: [{ secret: 'x' }], tags: [{}] }), {
    error: 'tags[0] is invalid, variables[0][key] is missing, variables[0][secret] is invalid',
    message: { tags: { 0: ['is invalid'] }, variables: { 0: { key: ['is missing'], secret: ['is invalid'] } } }
  })
  t.hasStrict((await ask('POST', '/both', { payload: {} })).body, {
    error: 'a is missing, b is missing',
    message: 'a is missing, b is missing'
  })
  t.hasStrict((await ask('POST', '/list', { payload: {} })).body, { error: 'n is missing' })
  t.hasStrict((await ask('POST', '/list', { payload: [{ n: 1 }, { n: 'x' }] })).body, { error: '[1][n] is invalid' })
  t.hasStrict((await ask('GET', '/numbered/abc')).body, { error: 'number is invalid' })
  t.hasStrict(
    (await ask('GET', '/numbered/abc/list?count=x&sort=up')).body,
    { error: 'number is invalid, count is invalid, sort does not have a valid value' },
    'all parts of a request at once'
  )
  t.hasStrict((await ask('POST', '/numbered/abc/list?page=x', { payload: { count: 'x' } })).body, {
    error: 'number is invalid, count is invalid, page is invalid',
    message: { number: ['is invalid'], count: ['is invalid'], page: ['is invalid'] }
  })
})

t.test('a parameter beyond a limit is refused with the limit', async t => {
  for (const [payload, error] of [
    [{ count: 0 }, 'count must be greater than or equal to 1'],
    [{ ratio: 101 }, 'ratio must be less than or equal to 100'],
    [{ name: 'x'.repeat(21) }, 'name is too long (maximum is 20 characters)'],
    [{ tags: [''] }, 'tags[0] is too short (minimum is 1 character)'],
    [{ tags: 'abcdef'.split('') }, 'tags has too many items (maximum is 5)']
  ] as const) {
    t.hasStrict(await ask('POST', '/echo', { payload }), { status: 400, body: { error } })
  }
})

t.test('an empty body may have any content type, and a body without one is JSON', async t => {
  const post = (payload: string, headers: Record<string, string> = {}) => ask('POST', '/raw', { payload, headers })

  for (const type of ['application/json', 'application/x-www-form-urlencoded', 'application/vnd.api+json', 'text/plain']) {
    t.hasStrict(await post('', { 'content-type': type }), { status: 200, body: {} }, type)
  }
  t.hasStrict(await ask('DELETE', '/echo', { headers: json }), { status: 200, body: {} })
  t.hasStrict(await post('{"a":[1]}'), { status: 200, body: { a: [1] } }, 'no content type')
  t.hasStrict(await post('{"a":1}', { 'content-type': 'application/json; charset=utf-8' }), { status: 200, body: { a: 1 } })
  t.hasStrict(await post('{"a":1}', { 'content-type': 'application/vnd.api+json' }), { status: 200, body: { a: 1 } })
  t.hasStrict(await post('{"a":1}', { 'content-type': 'text/plain' }), {
    status: 415,
    body: { error: "The provided content-type 'text/plain' is not supported." }
  })
  t.hasStrict(await post('x', { 'content-type': 'no type at all' }), { status: 415 })
  for (const broken of ['{"a":', 'a=1', '{"a":1}}', "{'a':1}"]) {
    t.hasStrict(await post(broken, json), { status: 400, body: { error: 'The body is not valid JSON' } }, broken)
  }
  t.hasStrict(await post('x'.repeat(1_100_000), json), { status: 413, body: { message: '413 Request Entity Too Large' } })
})

t.test('a body is an object, unless the route accepts arrays', async t => {
  for (const payload of ['[]', '[{"n":1}]', '"text"', '5', 'true']) {
    t.hasStrict(
      await ask('POST', '/raw', { payload, headers: json }),
      { status: 400, body: { error: 'The body must be an object' } },
      payload
    )
  }
  t.hasStrict(await ask('POST', '/raw', { payload: 'null', headers: json }), { status: 200, body: {} }, 'null counts as empty')
  t.hasStrict(await ask('POST', '/list', { payload: '[{"n":"1"}]', headers: json }), { status: 200, body: { items: [{ n: 1 }] } })
  t.hasStrict(await ask('POST', '/list?n=2'), { status: 200, body: { n: 2 } })
})

t.test('a credential in the query is not a parameter', async t => {
  t.same((await ask('POST', `/raw?private_token=${rootToken}&access_token=a&job_token=b&sudo=c&d=e`)).body, { d: 'e' })
  t.same((await ask('POST', '/raw?a=query&b=query', { payload: { a: 'body' } })).body, { a: 'body', b: 'query' }, 'the body goes first')
})

t.test('no input causes a server error', async t => {
  const refused = async (name: string, answer: ReturnType<typeof ask>) => t.hasStrict((await answer).status, 400, name)

  await refused('NUL in a query', ask('GET', '/echo?name=a%00b'))
  await refused('NUL in a name', ask('GET', '/echo?a%00b=1'))
  await refused('NUL in the credential of another', ask('GET', '/echo?sudo=%00'))
  await refused('NUL in a path', ask('GET', '/at/a%00b'))
  await refused('NUL in JSON', ask('POST', '/raw', { payload: { a: [{ b: '\0' }] } }))
  await refused('NUL in a JSON name', ask('POST', '/raw', { payload: { a: { '\0': 1 } } }))
  await refused('NUL in a form', ask('POST', '/raw', { payload: 'a=%00', headers: form }))
  await refused('half a character', ask('POST', '/raw', { payload: '{"a":"\\ud800"}', headers: json }))
  await refused('bad encoding in a query', ask('GET', '/echo?name=%zz'))
  await refused('bad UTF-8 in a query', ask('GET', '/echo?name=%ff'))
  await refused('bad encoding in a form', ask('POST', '/raw', { payload: 'a=%', headers: form }))
  await refused('deep JSON', ask('POST', '/raw', { payload: `{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`, headers: json }))
  await refused('a deep name', ask('GET', `/echo?a${'[b]'.repeat(20)}=1`))
  await refused('a member called toString', ask('GET', '/echo?strict[toString]=1'))
  await refused('many parameters', ask('POST', '/raw', { payload: 'a[]=1&'.repeat(1001), headers: form }))
  t.hasStrict(await ask('GET', '/at/%zz'), { status: 400, body: { error: '400 Bad Request' } })
  t.hasStrict(await ask('GET', '/at/%ff'), { status: 400, body: { error: '400 Bad Request' } })

  const { body } = await ask('POST', '/raw', { payload: '{"__proto__":{"x":1},"constructor":{"prototype":{"x":1}},"a":1}', headers: json })
  t.same(body, { a: 1 })
  t.equal(({} as Record<string, unknown>).x, undefined)
})
