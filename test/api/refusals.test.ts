import type { ClassDeclaration, Expression } from 'acorn'
import Fastify from 'fastify'
import t from 'tap'
import { renderings } from '#api/problems/problem-of.ts'
import { renderProblems } from '#api/problems/render-problems.ts'
import * as refusals from '#lib/refusals.ts'
import { Conflict, type Refusal, Unavailable } from '#lib/refusals.ts'
import { filesIn, nodesIn, read, syntaxOf } from '../support/sources.ts'

interface Declared {
  file: string
  name: string
  base: string
  code: unknown
  line: number
}

const declared = filesIn(['src', 'workers']).flatMap(classesIn)
const own = declared.filter(isRefusal)

/** Of each kind that the REST API has an answer for: an instance, and the status and body of the answer. */
const answers: [kind: Refusal, status: number, body: object][] = [
  [new refusals.InvalidInput('id is missing'), 400, { error: 'id is missing', message: 'id is missing' }],
  [new refusals.MissingParameters('a', 'b'), 400, bothOf('a, b are missing, at least one parameter must be provided')],
  [new refusals.MutuallyExclusive('a', 'b'), 400, bothOf('a, b are mutually exclusive')],
  [new refusals.UnusableInput('Invalid url given'), 422, bothOf('Invalid url given')],
  [new refusals.ValidationFailed({ a: { b: ['is odd'] } }), 400, { message: { a: { b: ['is odd'] } } }],
  [new refusals.Rejected('no'), 400, { message: '400 Bad request - no' }],
  [new refusals.Unauthenticated('no'), 401, { message: '401 Unauthorized - no' }],
  [new refusals.InvalidToken('Token was revoked.'), 401, { error: 'invalid_token', error_description: 'Token was revoked.' }],
  [
    new refusals.InsufficientScope(['api', 'sudo']),
    403,
    {
      error: 'insufficient_scope',
      error_description: 'The request requires higher privileges than provided by the access token.',
      scope: 'api sudo'
    }
  ],
  [new refusals.Forbidden('no'), 403, { message: '403 Forbidden - no' }],
  [new refusals.NotFound('Project'), 404, { message: '404 Project Not Found' }],
  [new refusals.Unsupported('no'), 405, { message: '405 Method Not Allowed - no' }],
  [new refusals.Conflict('no'), 409, { message: '409 Conflict - no' }],
  [new refusals.Gone('no'), 410, { message: '410 Gone - no' }],
  [new refusals.ModifiedSince(), 412, { message: '412 Precondition Failed' }],
  [new refusals.TooLarge('no'), 413, { message: '413 Request Entity Too Large - no' }],
  [new refusals.Unprocessable('no'), 422, { message: '422 Unprocessable Entity - no' }],
  [new refusals.TooOften(7), 429, { message: '429 Too Many Requests' }],
  [new refusals.Unavailable(9, 'no'), 503, { message: '503 Service Unavailable - no' }]
]

t.test('every kind of refusal has a status and a body in the REST API', async t => {
  const kinds = declared.filter(({ file, name }) => file === 'src/lib/refusals.ts' && name !== 'Refusal').map(({ name }) => name)

  t.same(answers.map(([kind]) => kind.constructor.name).sort(), kinds.sort(), 'every kind is listed')
  for (const [refusal, status, body] of answers) {
    const answer = await answerTo(refusal)

    t.same([answer.statusCode, answer.json()], [status, body], refusal.code)
  }
})

t.test('a refusal may tell when to try again, or what is wrong with a token', async t => {
  t.equal((await answerTo(new refusals.TooOften(7))).headers['retry-after'], '7')
  t.equal((await answerTo(new Unavailable(9))).headers['retry-after'], '9')
  t.equal(
    (await answerTo(new refusals.InvalidToken('Token was revoked.'))).headers['www-authenticate'],
    'Bearer realm="Tocsin", error="invalid_token", error_description="Token was revoked."'
  )
})

t.test('a refusal that is a sentence stands alone', async t => {
  class SeatTaken extends Conflict {
    override code = 'seat_taken'
    override isSentence = true
  }

  t.same((await answerTo(new SeatTaken('Seat is taken'))).json(), { message: 'Seat is taken' })
})

t.test('each refusal of the domains has a code of its own, and a kind that is rendered', async t => {
  const codes = own.map(({ code }) => code)
  const rendered = renderings.map(({ kind }) => kind.name)

  t.ok(own.length > answers.length + 20)
  t.same(own.filter(({ code }) => typeof code !== 'string' || !/^[a-z]+(_[a-z]+)*$/.test(code)).map(nameOf), [], 'a class without a code')
  t.same(own.filter(({ code }, n) => codes.indexOf(code) !== n).map(nameOf), [], 'a code that another class has')
  t.same(own.filter(one => !lineage(one).some(name => rendered.includes(name))).map(nameOf), [], 'a kind without a rendering')
})

t.test('every kind is documented with its status', async t => {
  const text = read('docs/contributing/architecture.md')

  for (const [kind, status] of answers) t.ok(text.includes(`| \`${kind.constructor.name}\` | \`${kind.code}\` | ${status} |`), kind.code)
})

function bothOf(sentence: string) {
  return { error: sentence, message: sentence }
}

async function answerTo(refusal: Refusal) {
  const app = Fastify()

  renderProblems(app)
  app.get('/', async () => {
    throw refusal
  })

  return app.inject('/')
}

function classesIn(file: string): Declared[] {
  if (!read(file).includes(' extends ')) return []
  const classes = [...nodesIn(syntaxOf(file))].filter(node => node.type === 'ClassDeclaration') as ClassDeclaration[]

  return classes.map(({ id, superClass, body, loc }) => {
    const [code] = body.body.filter(member => member.type === 'PropertyDefinition' && 'name' in member.key && member.key.name === 'code')
    const value = code && 'value' in code ? (code.value as Expression | null) : null

    return {
      file,
      name: id.name,
      base: superClass?.type === 'Identifier' ? superClass.name : '',
      code: value?.type === 'Literal' ? value.value : undefined,
      line: loc!.start.line
    }
  })
}

function isRefusal(one: Declared) {
  return lineage(one).includes('Refusal') && one.name !== 'Refusal'
}

/** The names of a class and of those that it extends. */
function lineage({ name, base, file }: Declared): string[] {
  const parent = declared.find(one => one.name === base && one.file === file) ?? declared.find(one => one.name === base)

  return parent && base !== name ? [name, ...lineage(parent)] : [name, base]
}

function nameOf({ file, line, name }: Declared) {
  return `${name} at ${file}:${line}`
}
