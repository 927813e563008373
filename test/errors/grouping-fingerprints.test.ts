import t from 'tap'
import { cpuMs } from '../support/cpu-time.ts'
import { apart, failure, frame, hashesOf, library, together } from './fixtures/events.ts'

const one = failure([library('x'), frame('a')])
const two = failure([library('x'), frame('b')])
const by = (event: object, ...fingerprint: unknown[]) => ({ ...event, fingerprint })

t.test('a missing, an empty and the default fingerprint are equal', async t => {
  together(t, [
    one,
    by(one),
    { ...one, fingerprint: null },
    by(one, '{{ default }}'),
    by(one, '{{default}}'),
    by(one, '{{default }}', '{{ default}}')
  ])
  apart(t, [by(one, '{{ default }}'), by(two, '{{ default }}')])
})

t.test('a custom fingerprint replaces the default grouping', async t => {
  together(t, [by(one, 'payments'), by(two, 'payments'), by({ message: 'hello' }, 'payments')])
  apart(t, [by(one, 'payments'), by(one, 'orders'), by(one, 'payments', 'orders'), by(one, 'orders', 'payments'), one])
  t.equal(hashesOf(by(one, 'payments')).length, 1)
})

t.test('a fingerprint that includes the default divides default groups', async t => {
  const base = by(one, '{{ default }}', 'tenant 7')

  together(t, [base, by(one, '{{default}}', 'tenant 7')])
  apart(t, [base, by(one, '{{ default }}', 'tenant 8'), by(two, '{{ default }}', 'tenant 7'), one, by(one, 'tenant 7')])
  apart(t, [base, by(one, 'tenant 7', '{{ default }}')])
})

t.test('a custom fingerprint is part of both hashes', async t => {
  t.equal(hashesOf(by(one, '{{ default }}', 'x')).length, 2)
  together(t, [by(one, '{{ default }}', 'x'), by(failure([library('y'), frame('a')]), '{{ default }}', 'x')])
  together(t, [
    by(one, '{{ default }}', 'x'),
    by(
      failure([
        { function: 'x', module: 'lib' },
        { function: 'a', module: 'app' }
      ]),
      '{{ default }}',
      'x'
    )
  ])
})

t.test('numbers become text, and other values are ignored', async t => {
  together(t, [by(one, 'code', 17), by(two, 'code', '17'), by(one, 'code', null, 17, {}, '')])
  together(t, [{ ...one, fingerprint: 'alone' }, by(two, 'alone')])
  together(t, [one, by(one, null, {})])
})

t.test('variables are replaced by values of the event', async t => {
  const event = {
    ...failure([frame('outer'), frame('Cart.pay', 'shop', { package: 'libshop' }), library('x')], { type: 'E', value: 'order 17' }),
    platform: 'javascript',
    transaction: 'GET /',
    level: 'warning',
    logger: 'root',
    tags: { region: 'eu', 'a.b-c': 1 }
  }
  const says = (entry: string, value: string) => together(t, [by(event, `is ${entry}`), by(two, `is ${value}`)], entry)

  says('{{ transaction }}', 'GET /')
  says('{{message}}', 'order <int>')
  says('{{ error.type }}', 'E')
  says('{{ type }}', 'E')
  says('{{ error.value }}', 'order <int>')
  says('{{ value }}', 'order <int>')
  says('{{ function }}', 'pay')
  says('{{ stack.function }}', 'pay')
  says('{{ module }}', 'shop')
  says('{{ stack.module }}', 'shop')
  says('{{ package }}', 'libshop')
  says('{{ stack.package }}', 'libshop')
  says('{{ level }}', 'warning')
  says('{{ logger }}', 'root')
  says('{{ tags.region }} {{ tags.a.b-c }}', 'eu 1')
  says('{{ not.a.variable }} {{ constructor }}', '{{ not.a.variable }} {{ constructor }}')
  together(t, [by({ ...event, tags: [['region', 'eu']] }, '{{ tags.region }}'), by(two, 'eu')])
  together(t, [by({ ...event, tags: [{ key: 'region', value: 'eu' }] }, '{{ tags.region }}'), by(two, 'eu')])
})

t.test('an unset variable is replaced by a marker', async t => {
  for (const name of ['transaction', 'message', 'type', 'value', 'function', 'module', 'package', 'logger'])
    together(t, [by({}, `{{ ${name} }}`), by(one, `<no-${name}>`)], name)
  together(t, [by({}, '{{ error.type }}'), by(one, '<no-type>')])
  together(t, [by({}, '{{ tags.region }}'), by(one, '<no-value-for-tag-region>')])
  together(t, [by({}, '{{ level }}'), by(one, 'error')], 'without a level an event is an error')
})

t.test('an entry equal to the message is parameterized', async t => {
  together(t, [by({ message: 'order 17 failed' }, 'order 17 failed'), by({ message: 'order 18 failed' }, 'order 18 failed')])
  together(t, [by(failure([], { value: 'code 1' }), 'code 1'), by(failure([], { value: 'code 2' }), 'code 2')])
  apart(t, [by(one, 'order 17 failed'), by(one, 'order 18 failed')], 'where it is not, they are meant')
})

t.test('a fingerprint uses its first 50 entries and 1,024 characters of each', async t => {
  const many = Array.from({ length: 60 }, (_, n) => `part ${n}`)
  const long = 'x'.repeat(1024)

  together(t, [by(one, ...many), by(one, ...many.slice(0, 50), 'other')])
  together(t, [by(one, `${long}a`), by(one, `${long}b`)])

  const heavy = by({ message: 'order 17 '.repeat(100_000) }, ...Array(50).fill('{{message}}{{ value }}{{tags.x}}'.repeat(30)))
  const deep = by(failure(Array(256).fill(frame('x'.repeat(500)))), ...Array(50).fill('{{ default }}'), 'x')

  t.ok(cpuMs(() => hashesOf(heavy)) < 200)
  t.ok(cpuMs(() => hashesOf(deep)) < 200)
})

t.test('errors of loading chunks are one error, as in Sentry', async t => {
  const inBrowser = (value: string, name: string, type = 'ChunkLoadError') => ({
    ...failure([frame(name)], { type, value }),
    platform: 'javascript'
  })

  together(t, [
    inBrowser('Loading chunk 17 failed.', 'a'),
    inBrowser('Loading CSS chunk 4 failed.', 'b'),
    inBrowser('ChunkLoadError: Loading chunk 9 failed.', 'c', 'UnhandledRejection'),
    { ...inBrowser('Loading chunk 17 failed.', 'd'), platform: 'node' }
  ])
  apart(t, [inBrowser('x', 'a'), { ...inBrowser('x', 'a'), platform: 'python' }, by(inBrowser('x', 'a'), 'mine'), inBrowser('x', 'a', 'E')])
})

t.test('errors of hydration are one error for each transaction, as in Sentry', async t => {
  const inBrowser = (value: string, name: string, transaction?: string) => ({
    ...failure([frame(name)], { type: 'Error', value }),
    platform: 'javascript',
    transaction
  })
  const mismatch = 'Text content does not match server-rendered HTML.'
  const failed = 'Hydration failed because the initial UI does not match what was rendered on the server.'

  together(t, [inBrowser(mismatch, 'a', '/cart'), inBrowser(failed, 'b', '/cart')])
  together(t, [inBrowser(mismatch, 'a', '/cart'), { platform: 'javascript', message: failed, transaction: '/cart' }])
  apart(t, [inBrowser(mismatch, 'a', '/cart'), inBrowser(mismatch, 'a', '/'), inBrowser(mismatch, 'a'), inBrowser(failed, 'b')])
})
