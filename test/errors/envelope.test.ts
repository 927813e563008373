import assert from 'node:assert/strict'
import t from 'tap'
import { EnvelopeCollector, parseEventId, splitEnvelope } from '#errors/parse/envelope.ts'
import { EnvelopeParser, InvalidEnvelope } from '#errors/parse/envelope-parser.ts'
import { TooLarge } from '#lib/inflate.ts'

/** Splits the text at once and byte by byte, with the same result. */
function split(text: string) {
  const bytes = Buffer.from(text)
  const collector = new EnvelopeCollector(() => Infinity)
  const parser = new EnvelopeParser(collector)

  for (let at = 0; at < bytes.length; at++) parser.push(bytes.subarray(at, at + 1))
  parser.end()
  const envelope = splitEnvelope(bytes)

  assert.deepEqual(collector.envelope, envelope)

  return envelope
}

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

t.test('a header line has at most 64 KiB', async t => {
  const header = (bytes: number) => `{"a":"${'x'.repeat(bytes - 8)}"}`

  t.same(split(header(65_536)).items, [])
  t.throws(() => split(header(65_537)), TooLarge)
  t.throws(() => splitEnvelope(Buffer.from(`{}\n${header(65_537)}`)), TooLarge)
})

t.test('payloads over their limit are counted and not kept', async t => {
  const collector = new EnvelopeCollector(type => (type === 'event' ? 5 : 2))
  const parser = new EnvelopeParser(collector)

  for (const chunk of ['{}\n{"type":"event"}\n123', '45\n{"type":"attachment","length":3}\n1', '23']) parser.push(Buffer.from(chunk))
  parser.end()
  t.same(
    collector.envelope.items.map(({ size, payload }) => [size, payload.toString()]),
    [
      [5, '12345'],
      [3, '']
    ]
  )
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
    t.throws(() => splitEnvelope(Buffer.from(text)), InvalidEnvelope)
  })
}

t.test('event ids are parsed with and without dashes, in any case', async t => {
  t.equal(parseEventId('0123456789ABCDEF0123456789abcdef'), '0123456789abcdef0123456789abcdef')
  t.equal(parseEventId('01234567-89ab-cdef-0123-456789abcdef'), '0123456789abcdef0123456789abcdef')
  t.equal(parseEventId('short'), undefined)
  t.equal(parseEventId(42), undefined)
})
