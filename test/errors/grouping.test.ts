import t from 'tap'
import { groupEvent } from '#errors/grouping/group-event.ts'
import { readFields } from '#errors/normalise/event-fields.ts'
import { normaliseEvent } from '#errors/normalise/normalise-event.ts'
import { apart, areTogether, failure, frame, hashesOf, library, together } from './fixtures/events.ts'

const now = new Date('2026-11-20T12:00:00Z')
const read = (event: Record<string, unknown>) => readFields(normaliseEvent(event), now)
const titleOf = (event: Record<string, unknown>) => groupEvent(normaliseEvent(event)).title
const chain = (...exceptions: { type?: string; value?: string; frames?: unknown[]; mechanism?: unknown }[]) => ({
  exception: { values: exceptions.map(({ frames, ...exception }) => ({ ...exception, stacktrace: frames && { frames } })) }
})

t.test('events with equal types and in-app frames are one group, whatever the value', async t => {
  together(t, [failure([frame('a'), frame('b')]), failure([frame('a'), frame('b')], { value: 'order 17 broke' })])
  together(t, [failure([frame('a'), library('x')]), failure([frame('a'), library('y')])], 'libraries do not count beside our own')
})

t.test('another type or other frames make another group', async t => {
  apart(t, [failure([frame('a')]), failure([frame('b')]), failure([frame('a')], { type: 'RangeError' }), failure([frame('a', 'other')])])
  apart(t, [failure([library('a')]), failure([library('b')])], 'without frames of our own all of them count')
})

t.test('an event has one hash of its in-app frames and one of all frames, or one if they are equal', async t => {
  t.equal(hashesOf(failure([library('x'), frame('a')])).length, 2)
  t.equal(hashesOf(failure([frame('a'), frame('b')])).length, 1, 'all is our own')
  t.equal(hashesOf(failure([library('a')])).length, 1, 'nothing is our own')
  t.equal(hashesOf({ message: 'hello' }).length, 1)
  for (const hash of groupEvent(failure([frame('a')])).hashes) t.equal(hash.length, 20)
})

t.test('only frames with in_app true are in-app', async t => {
  const silent = failure([{ function: 'x', module: 'lib' }, frame('a')])

  together(t, [silent, failure([library('y'), frame('a')])])
  t.same(
    hashesOf(failure([{ function: 'a', module: 'm', in_app: null }])),
    hashesOf(failure([{ function: 'a', module: 'm', in_app: false }]))
  )
})

t.test('an event without in-app flags is grouped by the hash of all frames', async t => {
  const withoutFlags = failure([
    { function: 'x', module: 'lib' },
    { function: 'a', module: 'app' }
  ])

  t.ok(areTogether(failure([library('x'), frame('a')]), withoutFlags))
})

t.test('line numbers, columns and variables are ignored', async t => {
  together(t, [failure([frame('a', 'm', { lineno: 1, colno: 2, vars: { n: 1 } })]), failure([frame('a', 'm', { lineno: 99, colno: 7 })])])
})

t.test('recursive frames count once', async t => {
  together(t, [failure([frame('main'), frame('walk')]), failure([frame('main'), frame('walk'), frame('walk'), frame('walk')])])
  apart(t, [failure([frame('a'), frame('b'), frame('a')]), failure([frame('a'), frame('b')])])
})

t.test('a frame is identified by its module, else by the name of its file', async t => {
  const inFile = (filename: string, more = {}) => failure([{ function: 'f', filename, in_app: true, ...more }])

  together(t, [
    inFile('/srv/a/Main.js'),
    inFile('C:\\b\\main.js'),
    { ...inFile('x'), ...failure([{ function: 'f', abs_path: '/c/main.js' }]) }
  ])
  together(t, [inFile('a.py', { module: 'shop' }), inFile('b.py', { module: 'shop' })])
  together(t, [inFile('<anonymous>'), inFile('[native code]'), inFile('')], 'names that are none')
  apart(t, [inFile('a.py'), inFile('b.py')])
})

t.test('every exception of a chain counts, and the outermost names the group', async t => {
  const cause = { type: 'Timeout', value: 'after 30 s', frames: [library('wait')] }
  const outer = { type: 'OrderFailed', value: 'order 17', frames: [frame('pay')] }

  together(t, [chain(cause, outer), chain({ ...cause, value: 'after 31 s' }, { ...outer, value: 'order 18' })])
  apart(t, [chain(cause, outer), chain(outer), chain(outer, cause), chain({ ...cause, type: 'Refused' }, outer)])
  t.hasStrict(titleOf(chain(cause, outer)), { name: 'OrderFailed', description: 'order 17', actor: 'app in pay' })
})

t.test('exceptions of equal type and frames in one event count once', async t => {
  const child = { type: 'Timeout', value: 'task 1', frames: [frame('fetch')] }
  const group = { type: 'ExceptionGroup', value: 'of 3', frames: [frame('gather')] }

  together(t, [chain(child, group), chain(child, { ...child, value: 'task 2' }, child, group)])
})

t.test('a cause without frames counts by its message, one with library frames by its type', async t => {
  const outer = { type: 'OrderFailed', value: '', frames: [frame('pay')] }

  apart(t, [chain({ type: 'E', value: 'no route' }, outer), chain({ type: 'E', value: 'no memory' }, outer)])
  together(t, [
    chain({ type: 'E', value: 'no route', frames: [library('a')] }, outer),
    chain({ type: 'E', value: '', frames: [library('b')] }, outer)
  ])
})

t.test('events without frames are grouped by their message without ids', async t => {
  together(t, [failure([], { value: 'order 17 of ann@example.com' }), failure([], { value: 'order 18 of bob@example.org' })])
  apart(t, [failure([], { value: 'one' }), failure([], { value: 'two' }), failure([], { type: 'E', value: 'one' })])
})

t.test('a synthetic type is ignored', async t => {
  const synthetic = { mechanism: { synthetic: true } }

  together(t, [
    chain({ type: 'Error', frames: [frame('a')], ...synthetic }),
    chain({ type: 'UnhandledRejection', frames: [frame('a')], ...synthetic })
  ])
  together(t, [chain({ type: 'A', value: 'code 7', ...synthetic }), chain({ type: 'B', value: 'code 8', ...synthetic })])
  apart(t, [chain({ type: 'A', frames: [frame('a')], ...synthetic }), chain({ type: 'A', frames: [frame('a')] })])
})

t.test('an exception without a type is a message', async t => {
  const wrapped = chain({ value: 'hello', frames: [frame('sdk')], mechanism: { synthetic: true } })

  together(t, [{ message: 'hello' }, wrapped, { ...wrapped, message: 'hello' }])
  t.hasStrict(titleOf(wrapped), { name: 'hello', description: 'hello', actor: 'app in sdk' })
})

t.test('the stack of the only thread with frames counts beside the message', async t => {
  const thread = (...functions: string[]) => ({ stacktrace: { frames: functions.map(name => frame(name)) } })
  const inThreads = (values: unknown[], message?: string) => ({ platform: 'java', message, threads: { values } })

  together(t, [inThreads([thread('run')]), inThreads([{ id: 1 }, thread('run'), { stacktrace: { frames: [] } }])])
  apart(t, [inThreads([thread('run')], 'one'), inThreads([thread('run')], 'two'), inThreads([thread('other')], 'one')])
  together(t, [inThreads([thread('a'), thread('b')], 'm'), { message: 'm' }], 'with several threads, none is the crashed one')
  together(t, [{ stacktrace: { frames: [frame('a')] } }, { stacktrace: [frame('a')] }, inThreads([thread('a')])], 'as raven wrote it')
})

t.test('a message is grouped by its template, else by its first two lines without ids', async t => {
  const logged = (formatted: string) => ({ logentry: { message: 'order %s failed', formatted }, message: formatted })

  together(t, [
    logged('order x failed'),
    logged('order y failed'),
    { message: { message: 'order %s failed', formatted: 'order z failed' } }
  ])
  together(t, [
    { message: 'one' },
    { logentry: { message: 'one' } },
    { logentry: 'one' },
    { message: { formatted: 'one' } },
    { message: ' one\n' }
  ])
  together(t, [{ message: 'one\n\n  two\nthree' }, { message: 'one\ntwo\nfour' }])
  apart(t, [{ message: 'one\ntwo' }, { message: 'one\nthree' }, { message: 'one' }])
})

t.test('an empty event is grouped by its level and logger', async t => {
  together(t, [{}, { platform: 'other' }, { level: 'error' }, { exception: { values: [] }, message: '' }])
  apart(t, [{}, { level: 'info' }, { logger: 'shop' }, { message: '<no-message>' }])
})

t.test('a CSP report is grouped by its directive and the blocked host', async t => {
  const csp = (effective_directive: string, blocked_uri: string, document_uri = 'https://shop.example/cart') => ({
    logger: 'csp',
    message: `Blocked ${blocked_uri}`,
    csp: { effective_directive, blocked_uri, document_uri }
  })

  together(t, [
    csp('script-src', 'https://evil.example/a.js?1'),
    csp('script-src', 'https://evil.example/b.js', 'https://shop.example/'),
    { 'csp-report': { 'violated-directive': "script-src 'self'", 'blocked-uri': 'https://evil.example' } },
    { csp: { effectiveDirective: 'script-src', blockedURL: 'https://evil.example/c.js' } }
  ])
  together(t, [csp('style-src', 'https://shop.example/x.css'), csp('style-src', 'self'), csp('style-src', "'self'"), csp('style-src', '')])
  together(t, [csp('img-src', 'data'), csp('img-src', 'data:image/png;base64,AAAA')])
  apart(t, [csp('script-src', 'inline'), csp('script-src', 'eval'), csp('style-src', 'inline'), csp('script-src', 'https://a.example')])
})

t.test('a group is named by its type and location', async t => {
  t.same(titleOf(failure([frame('outer'), frame('inner'), library('x')])), {
    name: 'TypeError',
    description: 'it broke',
    actor: 'app in inner',
    isMessage: false
  })
  t.hasStrict(titleOf(failure([library('x', '')])), { actor: 'x' })
  t.hasStrict(titleOf(failure([{ filename: 'a/b.js' }])), { actor: 'a/b.js' })
  t.hasStrict(titleOf(failure([{ filename: 'a/b.js', function: '?' }])), { actor: 'a/b.js' }, 'a function without a name')
  t.same(titleOf({ message: 'hello\nworld', transaction: 'GET /' }), {
    name: 'hello',
    description: 'hello\nworld',
    actor: 'GET /',
    isMessage: true
  })
  t.hasStrict(titleOf({ logentry: { message: 'order %s', formatted: 'order 17' } }), { name: 'order 17' })
  t.same(titleOf({}), { name: 'Error', description: '', actor: '', isMessage: true })
})

t.test('a title is one line of at most 250 characters that Postgres accepts', async t => {
  const { name, description } = titleOf(failure([], { type: 'T'.repeat(900), value: `\n ${'v'.repeat(900)}\nmore` }))

  t.equal(`${name}: ${description}`.length, 250)
  t.equal(titleOf({ message: 'x'.repeat(5000) }).name.length, 250)
  t.equal(titleOf({ message: 'x'.repeat(5000) }).description.length, 1000)
  t.equal(titleOf(failure([], { value: 'one\ntwo' })).description, 'one')
  t.equal(titleOf({ message: 'a\0b\ud800c' }).name, 'ab\ufffdc')
})

t.test('all exception formats of SDKs are grouped alike', async t => {
  const [bare] = failure([frame('a')]).exception.values

  together(t, [failure([frame('a')]), { exception: [bare] }, { exception: bare }, { exception: { values: [null, bare] } }])
  together(t, [failure([frame('a')]), { exception: [{ ...bare, stacktrace: [frame('a')] }] }])
  together(t, [{ message: 'm' }, { exception: 'nonsense', message: 'm' }, { exception: { values: [null, 7] }, message: 'm' }])
})

t.test('invalid events are grouped as well', async t => {
  for (const nonsense of [null, 7, 'x', [], [null], {}, { values: 7 }, { values: [[]] }, true]) {
    for (const member of ['exception', 'threads', 'stacktrace', 'message', 'logentry', 'fingerprint', 'tags', 'csp', 'platform', 'level'])
      t.ok(hashesOf({ [member]: nonsense }).length > 0)
    t.ok(
      hashesOf(failure([nonsense, frame('a', nonsense as never), { function: nonsense, filename: nonsense, in_app: nonsense }])).length > 0
    )
    t.ok(hashesOf({ fingerprint: ['{{ tags.x }}', '{{ function }}', nonsense], tags: nonsense, exception: nonsense }).length > 0)
  }
})

t.test('attributes of any type or missing ones are accepted', async t => {
  t.hasStrict(read({ level: 'nonsense', release: 7, environment: null, platform: '' }), {
    level: 'error',
    release: '7',
    environment: undefined,
    platform: undefined
  })
})

t.test('invalid times are replaced by the time of arrival', async t => {
  const at = (timestamp: unknown) => read({ timestamp }).occurredAt.toISOString()

  t.equal(at(1_795_170_000), '2026-11-20T10:20:00.000Z')
  t.equal(at('2026-11-20T11:00:00Z'), '2026-11-20T11:00:00.000Z')
  for (const wrong of ['tomorrow', '2031-01-01T00:00:00Z', '1970-01-01T00:00:00Z', {}, undefined, Number.NaN])
    t.equal(at(wrong), now.toISOString())
})

t.test('a frame of the SDK is never the culprit', async t => {
  const appFrame = { function: 'pay', module: 'shop.cart', filename: 'shop/cart', in_app: true }
  const ofSdks = [
    { function: 'capture', module: 'sentry_sdk.client' },
    { function: 'captureException', module: 'raven.base' },
    { function: 'capture', module: 'io.sentry.Sentry' },
    { function: 'CaptureException', module: 'github.com/getsentry/sentry-go' },
    { function: 'Sentry\\captureException', filename: '/src/functions.php' },
    { function: 'sentry_core::api::capture_event' },
    { function: 'captureMessage', abs_path: '/srv/node_modules/@sentry/core/build/cjs/exports.js' },
    { function: 'captureMessage', abs_path: '/srv/node_modules/raven/lib/client.js' },
    { function: 'capture_event', abs_path: '/gems/sentry-ruby-6.6.2/lib/sentry/hub.rb' }
  ]

  for (const frame of ofSdks) {
    for (const in_app of [true, false])
      t.equal(titleOf(failure([appFrame, { ...frame, in_app }])).actor, 'shop.cart in pay', frame.function)
    t.equal(
      titleOf(
        failure([
          { ...appFrame, in_app: false },
          { ...frame, in_app: true }
        ])
      ).actor,
      'shop.cart in pay',
      frame.function
    )
    t.equal(titleOf(failure([{ ...frame, in_app: true }])).actor, '', frame.function)
  }
  t.equal(titleOf(failure([{ ...appFrame, module: 'sentry_sdks' }])).actor, 'sentry_sdks in pay')
})

/** The exceptions of an `asyncio.TaskGroup` as sentry-sdk sends them: the group is the last. */
function taskGroup(...members: { type: string; value?: string; frames?: object[] }[]) {
  const sent = members.map((member, n) => ({
    ...member,
    mechanism: { type: 'chained', source: `exceptions[${n}]`, exception_id: n + 1, parent_id: 0 }
  }))
  const mechanism = { type: 'asyncio', exception_id: 0, is_exception_group: true }

  return chain(...sent, {
    type: 'ExceptionGroup',
    value: `unhandled errors in a TaskGroup (${members.length} sub-exceptions)`,
    frames: [frame('gather')],
    mechanism
  } as never)
}

t.test('a group of exceptions is titled by what it consists of, if that is one kind', async t => {
  const refused = { type: 'ConnectionRefused', value: 'port 1', frames: [frame('connect')] }
  const late = { type: 'Timeout', value: 'after 3 s', frames: [frame('read')] }

  t.hasStrict(titleOf(taskGroup(refused)), { name: 'ConnectionRefused', description: 'port 1', actor: 'app in connect' })
  t.hasStrict(titleOf(taskGroup(refused, { ...refused, value: 'port 2' })), { name: 'ConnectionRefused', actor: 'app in connect' })
  t.hasStrict(titleOf(taskGroup(refused, late)), { name: 'ExceptionGroup', actor: 'app in gather' })
  t.hasStrict(titleOf(chain(refused, { ...late, mechanism: { exception_id: 0, parent_id: 1 } } as never)), { name: 'Timeout' })
})

t.test('the order of the members of a group of exceptions does not matter', async t => {
  const [refused, late] = [
    { type: 'ConnectionRefused', frames: [frame('connect')] },
    { type: 'Timeout', frames: [frame('read')] }
  ]

  together(t, [taskGroup(refused, late), taskGroup(late, refused), taskGroup(late, refused, late)])
  apart(t, [taskGroup(refused, late), taskGroup(refused), taskGroup(late)])
})

t.test('frames of the runtime are no place where an error happened, whatever the SDK says', async t => {
  const rust = (name: string, file: string, more: object = {}) => ({ function: name, filename: file, in_app: true, ...more })
  const panic = (...frames: object[]) => ({
    platform: 'native',
    exception: {
      values: [
        {
          type: 'panic',
          value: 'no amount',
          stacktrace: { frames: [rust('rs::main', 'main.rs'), rust('rs::cart::pay', 'cart.rs'), ...frames] }
        }
      ]
    }
  })

  for (const frame of [
    rust('__rustc::rust_begin_unwind', 'panicking.rs'),
    rust('rust_begin_unwind', 'panicking.rs'),
    rust('<usize as core::slice::index::SliceIndex<[T]>>::index', 'index.rs'),
    rust('any', 'any.rs', { abs_path: '/rustc/0123/library/std/src/any.rs' }),
    rust('sentry_panic::panic_handler', 'lib.rs')
  ]) {
    t.equal(titleOf(panic(frame)).actor, 'cart.rs in rs::cart::pay', JSON.stringify(frame))
  }
  t.equal(
    titleOf(panic(rust('<rs::Cart as core::fmt::Display>::fmt', 'cart.rs'))).actor,
    'cart.rs in <rs::Cart as core::fmt::Display>::fmt'
  )
})
