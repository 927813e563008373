import type { FastifyInstance, InjectOptions } from 'fastify'
import type { OpenAPIV3_1 } from 'openapi-types'
import t from 'tap'
import { hashSecret } from '#identity/secrets.ts'
import fc from '../support/properties.ts'
import { anyText } from '../support/texts.ts'
import { openApp, rootToken } from '../support/world.ts'

/** `FUZZ_REQUESTS=10000` for a longer look. */
const requests = Number(process.env.FUZZ_REQUESTS ?? 1500)

type Document = OpenAPIV3_1.Document
interface Operation {
  method: string
  path: string
  parameters: OpenAPIV3_1.ParameterObject[]
  body?: Record<string, unknown>
}

const garbage = fc.oneof(
  fc.string(),
  anyText(),
  fc.constantFrom(
    '',
    '0',
    '-1',
    '1',
    'true',
    'null',
    '../..',
    '%',
    '%2F',
    'a'.repeat(300),
    '9'.repeat(30),
    '\0',
    "'; --",
    '{}',
    '[]',
    '\ud800'
  )
)
const anything = fc.oneof(garbage, fc.integer(), fc.double(), fc.boolean(), fc.constant(null), fc.jsonValue({ maxDepth: 3 }))
const idLike = fc.constantFrom('1', '2', '3', 'root', 'root%2Fdemo', 'self', '999999')
const anIp = fc.ipV4()

t.test('random requests cause no server error, and responses match their schemas', { timeout: 600_000 }, async t => {
  const { app, platform } = await openApp(t)
  const operations = readOperations((await app.inject('/api/v4/openapi.json')).json())

  t.ok(operations.length > 10)
  // The test's own credential and account must outlive what it does to them.
  const revive = async () => {
    await platform.pool.query(
      `UPDATE access_tokens SET revoked_at = NULL, expires_at = NULL, scopes = '{api,sudo}' WHERE token_hash = $1`,
      [hashSecret(rootToken)]
    )
  }
  let count = 0

  await fc.assert(
    fc.asyncProperty(aRequest(operations), async request => {
      if (++count % 25 === 0) await revive()
      const problem = await problemWith(app, request)

      if (problem) throw new Error(`${problem}\n${JSON.stringify(request)}`)
    }),
    { numRuns: requests }
  )
  t.equal((await app.inject('/-/liveness')).statusCode, 200, 'and the process is as well as before')
})

function readOperations({ paths = {} }: Document): Operation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    (['get', 'post', 'put', 'patch', 'delete'] as const).flatMap(method => {
      const operation = item?.[method]
      if (!operation) return []
      const content = (operation.requestBody as OpenAPIV3_1.RequestBodyObject | undefined)?.content ?? {}
      const schema = Object.values(content)[0]?.schema as { properties?: Record<string, unknown> } | undefined

      return [
        {
          method: method.toUpperCase(),
          path,
          parameters: (operation.parameters ?? []) as OpenAPIV3_1.ParameterObject[],
          body: schema?.properties
        }
      ]
    })
  )
}

function aRequest(operations: Operation[]) {
  return fc.constantFrom(...operations).chain(({ method, path, parameters, body }) =>
    fc
      .record({
        url: anAddress(path, parameters),
        payload: fc.option(fc.oneof({ weight: 4, arbitrary: aBody(body ?? {}) }, { weight: 1, arbitrary: garbage }), { nil: undefined }),
        headers: someHeaders()
      })
      .map(({ url, payload, headers }) => ({ method, url, payload: method === 'GET' ? undefined : payload, headers }) as InjectOptions)
  )
}

function anAddress(path: string, parameters: OpenAPIV3_1.ParameterObject[]) {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
  const inQuery = parameters.filter(parameter => parameter.in === 'query').map(({ name }) => name)

  return fc
    .tuple(
      fc.tuple(...names.map(() => fc.oneof({ weight: 3, arbitrary: idLike }, { weight: 1, arbitrary: garbage.map(encode) }))),
      fc.dictionary(fc.constantFrom('extra[]', 'a[b][c]', 'per_page', 'page', ...inQuery), garbage, { maxKeys: 4 })
    )
    .map(([values, query]) => {
      const filled = names.reduce((url, name, n) => url.replace(`{${name}}`, (values[n] as string) || '1'), path)
      const search = Object.entries(query)
        .map(([name, value]) => `${encode(name)}=${encode(value)}`)
        .join('&')

      return `${filled}${search && `?${search}`}`
    })
}

function aBody(properties: Record<string, unknown>) {
  const names = ['extra', '__proto__', ...Object.keys(properties)]

  return fc.dictionary(fc.constantFrom(...names), anything, { maxKeys: 6 }).map(body => JSON.stringify(body))
}

function someHeaders() {
  return fc
    .record({
      token: fc.constantFrom(rootToken, rootToken, rootToken, '', 'glpat-nobody', 'Bearer'),
      type: fc.constantFrom(
        'application/json',
        'application/json',
        'application/x-www-form-urlencoded',
        'multipart/form-data',
        'text/plain',
        ''
      ),
      sudo: fc.option(fc.constantFrom('root', '1', 'nobody', ''), { nil: undefined, freq: 10 }),
      ip: anIp
    })
    .map(({ token, type, sudo, ip }) => ({
      ...(token && { 'private-token': token }),
      ...(type && { 'content-type': type }),
      ...(sudo !== undefined && { sudo }),
      'x-forwarded-for': ip
    }))
}

async function problemWith(app: FastifyInstance, request: InjectOptions) {
  const response = await app.inject(request)
  const { statusCode: status, body } = response

  if (status >= 500) return `${status}: ${body}`
  if (status < 400) return undefined
  if (response.headers['content-type']?.startsWith('text/plain') && [429].includes(status)) return undefined
  // RFC 6750 §3: the reason is in the challenge.
  if (body === '' && response.headers['www-authenticate']) return undefined

  try {
    const { message, error } = JSON.parse(body)
    return message !== undefined || error !== undefined ? undefined : `an error of another shape: ${status} ${body}`
  } catch {
    return `an error that is not JSON: ${status} ${body}`
  }
}

function encode(text: string) {
  return encodeURIComponent(text.toWellFormed())
}
