import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Fastify, { type FastifyBaseLogger } from 'fastify'
import { pino } from 'pino'
import t from 'tap'
import Type from 'typebox'
import { readUnmodifiedSince } from '#api/conditional-requests.ts'
import { Moved } from '#api/problems/moved.ts'
import { renderProblems } from '#api/problems/render-problems.ts'
import {
  Conflict,
  Forbidden,
  Gone,
  InsufficientScope,
  MissingParameters,
  MutuallyExclusive,
  NotFound,
  type Refusal,
  Rejected,
  TooOften,
  Unauthenticated,
  Unavailable,
  Unprocessable,
  ValidationFailed
} from '#lib/refusals.ts'
import { checkUnmodified } from '#platform/database/lock-for-change.ts'
import { openConventionalApp } from './conventional-app.ts'

const updatedAt = new Date('2026-03-04T05:06:07.890Z')
const problems: Record<string, () => Refusal> = {
  'bad-request': () => new Rejected(),
  'bad-request-reason': () => new Rejected('no such day'),
  'none-given': () => new MissingParameters('name', 'path'),
  exclusive: () => new MutuallyExclusive('ref', 'sha'),
  validation: () => new ValidationFailed({ path: ['has already been taken'], owner: { email: ['is invalid', 'is too short'] } }),
  unauthorized: () => new Unauthenticated(),
  'unauthorized-reason': () => new Unauthenticated('session expired'),
  forbidden: () => new Forbidden(),
  'forbidden-reason': () => new Forbidden('Must be admin to use sudo'),
  scope: () => new InsufficientScope(['sudo']),
  'not-found': () => new NotFound(),
  'not-found-project': () => new NotFound('Project'),
  conflict: () => new Conflict(),
  'conflict-reason': () => new Conflict('Member already exists'),
  gone: () => new Gone(),
  'gone-reason': () => new Gone('runner registration disallowed'),
  unprocessable: () => new Unprocessable(),
  'unprocessable-reason': () => new Unprocessable('the move is in progress'),
  'too-many': () => new TooOften(),
  'too-many-later': () => new TooOften(7),
  later: () => new Unavailable(5)
}
const Named = Type.Object({ name: Type.String() })

const routes: FastifyPluginAsyncTypebox = async app => {
  app.get('/things', async () => [{ name: 'one' }])
  app.post('/things', { schema: { body: Named } }, async (request, reply) => reply.code(201).send(request.body))
  app.put('/things', async request => {
    checkUnmodified(updatedAt, readUnmodifiedSince(request))

    return {}
  })
  app.delete('/things', async (request, reply) => {
    checkUnmodified(updatedAt, readUnmodifiedSince(request))

    return reply.code(204).send(null)
  })
  app.post('/things/work', async (_request, reply) => reply.code(202).send({ message: '202 Accepted' }))
  app.get('/problems/:name', async request => {
    throw problems[(request.params as { name: string }).name]!()
  })
  app.get('/unforeseen', async () => {
    throw new Error('SELECT secret FROM users')
  })
  app.get('/unfit', { schema: { response: { 200: Named } } }, async () => ({ secret: 'x' }) as never)
  app.all('/moved/:id', async request => {
    throw new Moved(request, { from: (request.params as { id: string }).id, to: 7 })
  })
  app.get('/moved/:id/deeper/:other', async request => {
    throw new Moved(request, { from: (request.params as { id: string }).id, to: 7 })
  })
}
const { ask, config } = await openConventionalApp(t, routes)

t.test('200, 201, 202 and 204', async t => {
  t.hasStrict(await ask('GET', '/things'), { status: 200, body: [{ name: 'one' }] })
  t.hasStrict(await ask('POST', '/things', { payload: { name: 'two' } }), { status: 201, body: { name: 'two' } })
  t.hasStrict(await ask('POST', '/things/work'), { status: 202, body: { message: '202 Accepted' } })
  t.hasStrict(await ask('DELETE', '/things'), { status: 204, text: '' })
})

t.test('301: a renamed path redirects to the id', async t => {
  const moved = await ask('GET', '/moved/old%2Fpath?a=1&private_token=secret&b[]=x%20y')
  const location = '/api/v4/test/moved/7?a=1&b%5B%5D=x+y'

  t.hasStrict(moved, { status: 301, headers: { location } })
  t.match(moved, { headers: { 'content-type': /^text\/plain/ } })
  t.equal(moved.text, `This resource has been moved permanently to http://tocsin.test${location}`)
  t.hasStrict((await ask('HEAD', '/moved/old%2Fpath')).headers, { location: '/api/v4/test/moved/7' })
  t.hasStrict((await ask('GET', '/moved/a%2Fb/deeper/c%2Fd')).headers, { location: '/api/v4/test/moved/7/deeper/c%2Fd' })
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const) {
    const { status, headers, body } = await ask(method, '/moved/old%2Fpath')

    t.hasStrict(
      { status, headers, body },
      { status: 405, headers: { allow: 'GET, HEAD' }, body: { message: '405 Method Not Allowed' } },
      method
    )
  }
})

t.test('301 under a base path', async t => {
  config.baseUrl = 'https://example.com/tocsin'
  t.teardown(() => {
    config.baseUrl = 'http://tocsin.test'
  })
  const moved = await ask('GET', '/moved/a%2Fb')
  t.hasStrict(moved, { headers: { location: '/tocsin/api/v4/test/moved/7' } })
  t.match(moved, { text: /https:\/\/example.com\/tocsin\/api/ })
})

t.test('304: an unchanged response is not sent again', async t => {
  const first = await ask('GET', '/things')
  const etag = String(first.headers.etag)
  const asked = (tag: string, method: 'GET' | 'HEAD' | 'POST' = 'GET') => ask(method, '/things', { headers: { 'if-none-match': tag } })

  t.match(etag, /^W\/"[\w-]+"$/)
  t.equal(first.headers['cache-control'], 'max-age=0, private, must-revalidate')
  for (const tag of [etag, etag.slice(2), `"other", ${etag}`, '*']) {
    const again = await asked(tag)

    t.hasStrict(again, { status: 304, text: '', headers: { etag } }, tag)
    t.equal(again.headers['content-type'], undefined)
  }
  t.equal((await ask('HEAD', '/things')).headers.etag, etag)
  t.equal((await asked(etag, 'HEAD')).status, 304)
  for (const tag of ['"other"', '', 'W/', etag.slice(3, -1)]) t.equal((await asked(tag)).status, 200, tag)
  t.equal((await ask('GET', '/problems/conflict', { headers: { 'if-none-match': '*' } })).status, 409)
  t.equal((await ask('GET', '/problems/conflict')).headers.etag, undefined, 'a problem has no tag')
})

t.test("400, 401, 403, 404, 409, 410, 422, 429 and 503 have GitLab's bodies", async t => {
  const expected: Record<string, [number, object]> = {
    'bad-request': [400, { message: '400 Bad request' }],
    'bad-request-reason': [400, { message: '400 Bad request - no such day' }],
    validation: [400, { message: { path: ['has already been taken'], owner: { email: ['is invalid', 'is too short'] } } }],
    unauthorized: [401, { message: '401 Unauthorized' }],
    'unauthorized-reason': [401, { message: '401 Unauthorized - session expired' }],
    forbidden: [403, { message: '403 Forbidden' }],
    'forbidden-reason': [403, { message: '403 Forbidden - Must be admin to use sudo' }],
    scope: [
      403,
      {
        error: 'insufficient_scope',
        error_description: 'The request requires higher privileges than provided by the access token.',
        scope: 'sudo'
      }
    ],
    'not-found': [404, { message: '404 Not Found' }],
    'not-found-project': [404, { message: '404 Project Not Found' }],
    conflict: [409, { message: '409 Conflict' }],
    'conflict-reason': [409, { message: '409 Conflict - Member already exists' }],
    gone: [410, { message: '410 Gone' }],
    'gone-reason': [410, { message: '410 Gone - runner registration disallowed' }],
    unprocessable: [422, { message: '422 Unprocessable Entity' }],
    'unprocessable-reason': [422, { message: '422 Unprocessable Entity - the move is in progress' }],
    'too-many': [429, { message: '429 Too Many Requests' }],
    later: [503, { message: '503 Service Unavailable' }]
  }

  for (const [name, [status, body]] of Object.entries(expected)) {
    const answer = await ask('GET', `/problems/${name}`)

    t.same([answer.status, answer.body], [status, body], name)
    t.equal(answer.headers['content-type'], 'application/json', name)
  }
  t.equal((await ask('GET', '/problems/too-many')).headers['retry-after'], '60')
  t.equal((await ask('GET', '/problems/too-many-later')).headers['retry-after'], '7')
  t.equal((await ask('GET', '/problems/later')).headers['retry-after'], '5')
})

t.test('400: a missing parameter is named in both error and message', async t => {
  const sentences = {
    '/problems/none-given': 'name, path are missing, at least one parameter must be provided',
    '/problems/exclusive': 'ref, sha are mutually exclusive'
  }

  for (const [url, sentence] of Object.entries(sentences)) t.same((await ask('GET', url)).body, { error: sentence, message: sentence })
  t.same((await ask('POST', '/things')).body, { error: 'name is missing', message: 'name is missing' })
  t.same((await ask('POST', '/things', { payload: { name: {} } })).body, { error: 'name is invalid', message: { name: ['is invalid'] } })
})

t.test('412: a resource that has changed since is not overwritten', async t => {
  const change = async (date: string, method: 'PUT' | 'DELETE' = 'PUT') =>
    (await ask(method, '/things', { headers: { 'if-unmodified-since': date } })).status

  t.hasStrict(await ask('PUT', '/things', { headers: { 'if-unmodified-since': 'Wed, 04 Mar 2026 05:06:06 GMT' } }), {
    status: 412,
    body: { message: '412 Precondition Failed' }
  })
  t.equal(await change('Wed, 04 Mar 2026 05:06:06 GMT', 'DELETE'), 412)
  t.equal(await change('Wednesday, 04-Mar-26 05:06:06 GMT'), 412)
  t.equal(await change('Wed Mar  4 05:06:06 2026'), 412)
  t.equal(await change('Wed, 04 Mar 2026 05:06:07 GMT'), 200, 'the same second')
  t.equal(await change('Wed, 04 Mar 2026 05:06:07 GMT', 'DELETE'), 204)
  t.equal(await change('Wed Mar  4 05:06:07 2026'), 200)
  for (const nonsense of ['', 'yesterday', '0', '2020-01-01T00:00:00Z', 'Wed, 99 Xxx 2026 05:06:06 GMT'])
    t.equal(await change(nonsense), 200, nonsense)
})

t.test('500: the response reveals no internals', async t => {
  for (const url of ['/unforeseen', '/unfit']) {
    const { status, body } = await ask('GET', url)

    t.same([status, body], [500, { message: '500 Internal Server Error' }], url)
  }
})

t.test('500: the failure is logged, also when a response violates its schema', async t => {
  const lines: string[] = []
  const app = Fastify({ loggerInstance: pino({ level: 'error' }, { write: line => void lines.push(line) }) as FastifyBaseLogger })

  renderProblems(app)
  app.get('/unfit', { schema: { response: { 200: Named } } }, async () => ({ secret: 'x' }) as never)

  t.equal((await app.inject('/unfit')).statusCode, 500)
  const [line] = lines.map(line => JSON.parse(line))
  t.equal(lines.length, 1)
  t.equal(line.msg, 'a request failed')
  t.match(line.err.message, /"name" is required/)
})
