import type { FastifyInstance, InjectOptions } from 'fastify'
import t from 'tap'
import { tools } from '#mcp/tools.ts'
import { aPerson } from '../identity/people.ts'
import { anEnvelope, openProject } from '../support/factories.ts'
import fc from '../support/properties.ts'
import { anyText } from '../support/texts.ts'
import { rootToken } from '../support/world.ts'

/** `FUZZ_REQUESTS=10000` for a longer look. */
const { FUZZ_REQUESTS: requests = 600 } = process.env

/** What answers hold besides what they repeat of the request: both forms of a result, and the list of tools. */
const maxAnswer = 80_000

const deep = (depth: number) => `${'{"a":['.repeat(depth)}${']}'.repeat(depth)}`
const hostile = [
  '',
  ' ',
  '\0',
  '\ud800',
  '\u2028',
  '%',
  '../..',
  "'; --",
  '__proto__',
  'constructor',
  '9'.repeat(40),
  'x'.repeat(20_000),
  'bnVsbA'
]
const text = fc.oneof(fc.constantFrom(...hostile), anyText({ maxLength: 30 }))
const anything = fc.oneof(
  text,
  fc.integer(),
  fc.double(),
  fc.constantFrom<unknown>(null, true, [], {}, -1, 0, 1, 2 ** 31, 2 ** 53 - 1, 2 ** 53, 1e300),
  fc.jsonValue({ maxDepth: 3 })
)
const versions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28', '1999-01-01', 'DRAFT', '']
const methods = [
  'initialize',
  'ping',
  'tools/list',
  'tools/call',
  'server/discover',
  'notifications/initialized',
  'notifications/cancelled',
  'subscriptions/listen',
  'resources/read',
  'prompts/get',
  'completion/complete',
  'logging/setLevel'
]

t.test('random messages cause no server error, and answers are bounded', { timeout: 600_000 }, async t => {
  const { app, call, path, project, send, untilStored } = await openProject(t)
  const reader = await aPerson(call, 'reader', { scopes: ['read_api'] })

  await send(anEnvelope())
  const [{ fingerprint }] = await untilStored(1)
  const usual = {
    project: [String(project.id), project.path_with_namespace],
    error_id: [fingerprint],
    id: [fingerprint],
    body: ['A comment.']
  }
  let answers = 0

  await fc.assert(
    fc.asyncProperty(aRequest(usual, [rootToken, rootToken, rootToken, reader.token, 'glpat-nobody']), async request => {
      const problem = await problemWith(app, request)

      if (problem) throw new Error(`${problem}\n${JSON.stringify(request).slice(0, 5000)}`)
      answers++
    }),
    { numRuns: Number(requests) }
  )
  t.equal(answers, Number(requests))
  t.equal((await call('GET', `${path}/errors/${fingerprint}`)).status, 200, 'and the error is still there')
})

type Usual = Record<string, unknown[]>

function aRequest(usual: Usual, tokens: string[]) {
  return fc
    .record({
      method: fc.constantFrom('POST', 'POST', 'POST', 'POST', 'POST', 'POST', 'POST', 'POST', 'GET', 'DELETE', 'PUT', 'OPTIONS'),
      payload: aPayload(usual),
      token: fc.constantFrom(...tokens),
      type: usually(
        'application/json',
        'application/json; charset=utf-8',
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-data',
        'x',
        ''
      ),
      accept: usually('application/json, text/event-stream', 'application/json', 'text/event-stream', '*/*', 'text/html', ';;;', ''),
      origin: usually(undefined, 'http://tocsin.test', 'http://evil.example', 'null', '::', 'http://localhost:6274'),
      version: usually(undefined, ...versions, 'x'.repeat(5000)),
      query: usually('', '?id=1&method=tools/list', '?private_token=x', '?%')
    })
    .map(({ method, payload, token, type, accept, origin, version, query }): InjectOptions => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': type, accept, origin, 'mcp-protocol-version': version }
      const given = Object.entries(headers).filter((header): header is [string, string] => header[1] !== undefined)

      return {
        method: method as 'POST',
        url: `/api/v4/mcp${query}`,
        headers: Object.fromEntries(given),
        ...(method !== 'GET' && method !== 'OPTIONS' && { payload })
      }
    })
}

/** The first value most of the time: it leads further than to the first check. */
function usually<Value>(first: Value, ...others: Value[]) {
  return fc.oneof({ weight: 9, arbitrary: fc.constant(first) }, { weight: 1, arbitrary: fc.constantFrom(...others) })
}

function aPayload(usual: Usual) {
  const message = aMessage(usual).map(value => JSON.stringify(value))
  const broken = fc.oneof(
    fc.constantFrom(
      '',
      '{',
      'null',
      '1',
      '"x"',
      '[]',
      '{}',
      '[[]]',
      '{"jsonrpc":"2.0"',
      '\ufeff{}',
      deep(30),
      deep(400),
      '['.repeat(100_000)
    ),
    fc.tuple(message, fc.nat(200)).map(([text, end]) => text.slice(0, end)),
    fc.array(message, { maxLength: 4 }).map(messages => `[${messages}]`),
    fc.constantFrom(deep(20), deep(60)).map(params => `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":${params}}`)
  )

  return fc.oneof({ weight: 6, arbitrary: message }, { weight: 1, arbitrary: broken })
}

function aMessage(usual: Usual) {
  const id = fc.oneof({ weight: 4, arbitrary: fc.constant<unknown>(1) }, { weight: 1, arbitrary: anything })

  return fc
    .record({
      jsonrpc: usually<unknown>('2.0', '1.0', 2, null),
      id: fc.option(id, { nil: undefined, freq: 8 }),
      method: fc.oneof(
        { weight: 3, arbitrary: fc.constant('tools/call') },
        { weight: 1, arbitrary: fc.oneof(fc.constantFrom(...methods), text) }
      ),
      call: aCall(usual),
      version: fc.constantFrom(...versions),
      other: anything
    })
    .map(({ jsonrpc, id, method, call, version, other }) => ({ jsonrpc, id, method, params: paramsOf(method, { call, version, other }) }))
}

function paramsOf(method: string, { call, version, other }: { call: unknown; version: string; other: unknown }) {
  if (method === 'tools/call') return call
  if (method === 'initialize') return { protocolVersion: version, capabilities: {}, clientInfo: { name: 'fuzz', version: '1' } }

  return other
}

/** Calls of tools, mostly with arguments that they have. */
function aCall(usual: Usual) {
  return fc.constantFrom(...tools).chain(({ name, input }) => {
    const members = Object.entries(input.properties as Record<string, { enum?: unknown[] }>).map(([argument, schema]) => {
      const values = usual[argument] ?? schema.enum
      const value = values ? fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...values) }, { weight: 1, arbitrary: anything }) : anything
      const isRequired = (input.required as string[] | undefined)?.includes(argument)

      return [argument, isRequired ? value : fc.option(value, { nil: undefined, freq: 1 })] as const
    })
    const args = fc.record(Object.fromEntries(members))
    const odd = fc.dictionary(text, anything, { maxKeys: 2 })

    return fc.record({
      name: fc.oneof({ weight: 19, arbitrary: fc.constant<unknown>(name) }, { weight: 1, arbitrary: anything }),
      arguments: fc.oneof({ weight: 9, arbitrary: args }, { weight: 1, arbitrary: odd }, { weight: 1, arbitrary: anything })
    })
  })
}

async function problemWith(app: FastifyInstance, request: InjectOptions) {
  const { statusCode: status, body, headers } = await app.inject(request)
  const size = String(request.payload ?? '').length

  if (status >= 500) return `${status}: ${body}`
  // JSON needs up to six characters for one, and some errors repeat a name twice.
  if (body.length > maxAnswer + 12 * size) return `${body.length} characters`
  if (/"code":-32603|500 Internal/.test(body)) return `an internal error: ${body.slice(0, 1000)}`
  if (status === 401 && !headers['www-authenticate']) return 'a 401 without a challenge'
  if (request.method === 'POST' && status >= 400 && !isError(body)) return `an error of another shape: ${status} ${body.slice(0, 1000)}`

  return undefined
}

/** JSON-RPC's, or the REST API's before there is a message. */
function isError(body: string) {
  const { error, message } = JSON.parse(body)

  return typeof error?.code === 'number' || typeof error === 'string' || message !== undefined
}
