import { deflateSync, gzipSync } from 'node:zlib'
import t from 'tap'
import { parseEvent } from '#errors/parse/parse-event.ts'
import fc from '../support/properties.ts'

const parse = (text: string) => parseEvent(Buffer.from(text))

t.test('an event is a JSON object, and nothing else is', async t => {
  t.same(parse('{"message":"m"}'), { message: 'm' })
  for (const other of ['', ' ', '[]', '"text"', '7', 'null', '{', '{"a":', 'hello', '\0', '[{"message":"m"}]'])
    t.equal(parse(other), undefined, other)
})

t.test('NaN and Infinity become null, except in strings', async t => {
  t.same(parse('{"a":NaN,"b":[Infinity,-Infinity, NaN ],"c":"NaN, \\"Infinity\\"","d\\\\":-Infinity}'), {
    a: null,
    b: [null, null, null],
    c: 'NaN, "Infinity"',
    'd\\': null
  })
  t.equal(parse('{"a":NaNa}'), undefined)
})

t.test('a byte order mark, null bytes and surrounding white space are ignored', async t => {
  t.same(parse('\ufeff{"a":1}'), { a: 1 })
  t.same(parse(' \r\n{"a":1}\n'), { a: 1 })
  t.same(parse('\0{"a":"x\0y"}\0'), { a: 'xy' })
})

t.test('keys and values lose characters that Postgres rejects', async t => {
  t.same(parse('{"a":"x\\u0000y","b\\u0000":["\\ud800z","\\ude00"],"c":"\\ud83d\\ude00","d":"\\\\u0000"}'), {
    a: 'xy',
    b: ['\ufffdz', '\ufffd'],
    c: '😀',
    d: '\\u0000'
  })
  t.same(parseEvent(Buffer.from([...Buffer.from('{"a":"'), 0xff, 0xc3, ...Buffer.from('"}')])), { a: '\ufffd\ufffd' })
})

t.test('the store endpoint decodes base64 and compressed base64 whatever the headers say', async t => {
  const json = Buffer.from('{"message":"m"}')

  for (const body of [
    json.toString('base64'),
    `${json.toString('base64url')}\n`,
    deflateSync(json).toString('base64'),
    gzipSync(json).toString('base64')
  ])
    t.same(parse(body), { message: 'm' })
  t.same(parseEvent(deflateSync(json)), { message: 'm' }, 'zlib as it is')
  t.equal(parse(Buffer.from('no json').toString('base64')), undefined)
  t.equal(parse(Buffer.from([0x78, 0x9c, 1, 2, 3]).toString('base64')), undefined, 'broken zlib')
})

t.test('an event that inflates beyond the limit is rejected', async t => {
  const bomb = deflateSync(Buffer.from(`{"a":"${'x'.repeat(100_000)}"}`)).toString('base64')

  t.equal(parseEvent(Buffer.from(bomb), { maxInflated: 50_000 }), undefined)
  t.ok(parseEvent(Buffer.from(bomb), { maxInflated: 200_000 }))
})

t.test('values nested too deeply are truncated at the limit', async t => {
  for (const [open, close] of [
    ['[', ']'],
    ['{"a":', '}']
  ] as const) {
    const deep = parse(`{"deep":${open.repeat(150_000)}1${close.repeat(150_000)},"after":"]}\\"{["}`)

    t.equal(deep?.after, ']}"{[')
    t.ok(JSON.stringify(deep).length < 2000)
    t.equal(JSON.stringify(deep).match(/…/g)?.length, 1)
  }
  t.equal(parse('{"a":'.repeat(100_000)), undefined, 'never closed')
  const fine = `{"a":${'['.repeat(150)}"${'['.repeat(500)}"${']'.repeat(150)}}`

  t.equal(JSON.stringify(parse(fine)), fine, 'brackets in a string do not nest')
})

t.test('keys such as __proto__ are ordinary keys', async t => {
  const event = parse('{"__proto__":{"polluted":"\\u0000"},"constructor":1}')!

  t.equal(JSON.stringify(event), '{"__proto__":{"polluted":""},"constructor":1}')
  t.equal(({} as { polluted?: unknown }).polluted, undefined)
})

t.test('parsing arbitrary bytes never throws', async () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), bytes => {
      parseEvent(Buffer.from(bytes))
    })
  )
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'{}[]":,\\ NaInfity-0u\0'), maxLength: 60 }), text => {
      parse(text)
      parse(`{${text}`)
    }),
    { numRuns: 2000 }
  )
})

t.test('JSON is parsed as JSON.parse does', async () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), event => {
      const json = JSON.stringify(event)

      if (!/\\u(?:0000|d)/.test(json) && JSON.stringify(parse(json)) !== JSON.stringify(JSON.parse(json))) throw new Error(json)
    })
  )
})
