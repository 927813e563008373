import t from 'tap'
import { InvalidEnvelope, parseEventId, splitEnvelope } from '../../src/error-tracking/parse/envelope.ts'

const split = (text: string | Buffer) => splitEnvelope(Buffer.from(text))
const payloads = (text: string) => split(text).items.map(({ payload }) => payload.toString())

t.test('an item with a length is read to the exact byte', async t => {
  t.same(payloads('{}\n{"type":"attachment","length":7}\na\nb\r\n\0c\n{"type":"event"}\n{}'), ['a\nb\r\n\0c', '{}'])
})

t.test('an item without a length ends at the next newline', async t => {
  t.same(payloads('{}\n{"type":"event"}\n{"a":1}\n{"type":"session"}\n{}\n'), ['{"a":1}', '{}'])
})

t.test('empty payloads are accepted with or without a length, in any position', async t => {
  t.same(payloads('{}\n{"type":"attachment","length":0}\n\n{"type":"event"}\n{}'), ['', '{}'])
  t.same(payloads('{}\n{"type":"attachment","length":0}'), [''])
  t.same(payloads('{}\n{"type":"session"}'), [''])
})

t.test('an envelope may consist of its header only', async t => {
  t.same(split('{"event_id":"x"}').header, { event_id: 'x' })
  t.same(split('{}\n').items, [])
})

t.test('a carriage return belongs to the payload', async t => {
  t.same(payloads('{}\n{"type":"event"}\nabc\r\n'), ['abc\r'])
})

t.test('payloads are not copied', async t => {
  const bytes = Buffer.from('{}\n{"type":"event"}\n{"a":1}')

  t.equal(splitEnvelope(bytes).items[0]!.payload.buffer, bytes.buffer)
})

for (const [what, text] of [
  ['no JSON at all', 'hello'],
  ['a header that is no object', '[]\n'],
  ['an empty body', ''],
  ['an item header that is not JSON', '{}\nnope\n{}'],
  ['an item header without a type', '{}\n{"length":2}\n{}'],
  ['fewer bytes than the length says', '{}\n{"type":"event","length":20}\n{}'],
  ['more bytes than the length says', '{}\n{"type":"event","length":1}\n{}'],
  ['a length that is no whole number', '{}\n{"type":"event","length":1.5}\n{}'],
  ['a negative length', '{}\n{"type":"event","length":-1}\n{}']
] as const) {
  t.test(`broken: ${what}`, async t => {
    t.throws(() => split(text), InvalidEnvelope)
  })
}

t.test('event ids are parsed with and without dashes, in any case', async t => {
  t.equal(parseEventId('0123456789ABCDEF0123456789abcdef'), '0123456789abcdef0123456789abcdef')
  t.equal(parseEventId('01234567-89ab-cdef-0123-456789abcdef'), '0123456789abcdef0123456789abcdef')
  t.equal(parseEventId('short'), undefined)
  t.equal(parseEventId(42), undefined)
})
