import t, { type Test } from 'tap'
import { parseExpression } from '#lib/search/parse-expression.ts'
import { anEnvelope, anEventId, openProject } from '../support/factories.ts'

const failure = (type: string, value: string, more: object = {}, frame: object = {}) => ({
  platform: 'node',
  exception: {
    values: [
      {
        type,
        value,
        stacktrace: { frames: [{ function: `in${type}`, filename: `src/${type.toLowerCase()}.ts`, module: 'app', in_app: true, ...frame }] }
      }
    ]
  },
  ...more
})
const pastedId = anEventId()

const events = [
  failure('TypeError', 'card was declined', {
    level: 'error',
    release: 'shop@1.2.0',
    transaction: '/api/pay',
    tags: { region: 'eu', 'browser.name': 'Firefox' },
    user: { id: '1' }
  }),
  failure('RangeError', 'index 100% off', {
    level: 'fatal',
    release: 'shop@1.10.0',
    transaction: '/api/cart',
    environment: 'staging',
    tags: { region: 'us' },
    event_id: pastedId
  }),
  failure('Timeout', 'std::bad_alloc at pay()', {
    level: 'warning',
    release: 'shop@2.0.0',
    platform: 'python',
    tags: { 'browser.name': 'Firefox Mobile' }
  }),
  { message: 'The till is low on paper', level: 'info', release: 'shop@2.0.0+9' }
]

async function openSearch(t: Test) {
  const project = await openProject(t)
  const { send, untilStored, call, path } = project

  for (const event of events) await send(anEnvelope(event))
  await send(anEnvelope(events[0]!))
  await untilStored(5)

  return {
    ...project,
    found: async (query: string, more = '') => {
      const { status, body } = await call('GET', `${path}/errors?query=${encodeURIComponent(query)}${more}`)

      return status === 200 ? body.map((error: { name: string }) => error.name.slice(0, 10)).toSorted() : body.message
    }
  }
}

t.test('one language finds errors by what they are, where they happen and how often', async t => {
  const { found } = await openSearch(t)
  const all = ['RangeError', 'The till i', 'Timeout', 'TypeError']
  const expected: Record<string, string[]> = {
    'transaction:/api/pay': ['TypeError'],
    'transaction:/api/*': ['RangeError', 'TypeError'],
    'error.type:TypeError': ['TypeError'],
    'error.type:T*': ['Timeout', 'TypeError'],
    'type:[TypeError, RangeError]': ['RangeError', 'TypeError'],
    'message:card': ['TypeError'],
    'message:c*declined': ['TypeError'],
    'message:"low on paper"': ['The till i'],
    'title:"RangeError: index"': ['RangeError'],
    'title:*100%*': ['RangeError'],
    'platform:python': ['Timeout'],
    'stack.filename:rangeerror.ts': ['RangeError'],
    'stack.filename:src/*error.ts': ['RangeError', 'TypeError'],
    'stack.function:inTypeError': ['TypeError'],
    'file:src/timeout.ts': ['Timeout'],
    inTypeError: ['TypeError'],
    'src/timeout': ['Timeout'],
    'has:region': ['RangeError', 'TypeError'],
    '!has:region': ['The till i', 'Timeout'],
    'has:user': ['TypeError'],
    'region:e*': ['TypeError'],
    'browser.name:Firefox*': ['Timeout', 'TypeError'],
    '!level:error': ['RangeError', 'The till i', 'Timeout'],
    '!level:[error, fatal]': ['The till i', 'Timeout'],
    'level:error OR level:fatal': ['RangeError', 'TypeError'],
    '(level:error OR level:fatal) !region:us': ['TypeError'],
    '!(level:error OR region:us) !platform:python': ['The till i'],
    'card OR index': ['RangeError', 'TypeError'],
    'events:>1': ['TypeError'],
    'times_seen:<=1': ['RangeError', 'The till i', 'Timeout'],
    'users:1': ['TypeError'],
    'release:shop@1.*': ['RangeError', 'TypeError'],
    'release:>shop@1.2.0': ['RangeError', 'The till i', 'Timeout'],
    'release:>=shop@1.2.0 release:<shop@2.0.0': ['RangeError', 'TypeError'],
    'release:latest': ['The till i'],
    'first-release:shop@2.0.0': ['Timeout'],
    'environment:stag*': ['RangeError'],
    'first-seen:<1h': all,
    'first-seen:<2020-01-01': [],
    'last-seen:>2020-01-01T10:00': all,
    [pastedId]: ['RangeError'],
    'std::bad_alloc': ['Timeout'],
    'pay()': ['Timeout'],
    '"level:error"': [],
    'is:unresolved AND level:error': ['TypeError'],
    'nothing:': []
  }

  for (const [query, names] of Object.entries(expected)) t.same(await found(query), names, query)
  t.same(await found('level:error', '&level=fatal'), [], 'parameters are required, too')
  t.match(await found('regoin:eu'), /Unknown condition regoin/)
})

t.test('a search is read with its parentheses, quotes and lists', async t => {
  const term = (value: string, key?: string) => ({ term: key ? { key, value, isQuoted: false } : { value, isQuoted: false } })

  t.same(parseExpression(''), { all: [] })
  t.same(parseExpression('a b OR c'), { any: [{ all: [term('a'), term('b')] }, term('c')] })
  t.same(parseExpression('f(x) (a)'), { all: [term('f(x)'), term('a')] })
  t.same(parseExpression('!(a OR (b c))'), { not: { any: [term('a'), { all: [term('b'), term('c')] }] } })
  t.same(parseExpression('!a'), term('!a'))
  t.hasStrict(parseExpression('level:["a b", c]'), { term: { key: 'level', values: ['a b', 'c'] } })
  for (const wrong of ['(a', 'a OR', '"a', 'k:[a', `${'('.repeat(20)}a${')'.repeat(20)}`, 'a '.repeat(60)])
    t.throws(() => parseExpression(wrong), wrong)
  t.same(parseExpression('a)'), term('a)'))
})
