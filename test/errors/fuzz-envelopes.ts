import { randomUUID } from 'node:crypto'
import zlib from 'node:zlib'
import fc from '../support/properties.ts'
import { anyText } from '../support/texts.ts'

/** An envelope to send, and the items that must be stored once it is accepted. */
export interface Sending {
  path: string
  headers: Record<string, string>
  body: Buffer
  good: Good[]
}

interface Good {
  kind: 'event' | 'feedback'
  id: string
}

interface Item {
  bytes: Buffer
  good?: Good
}

const types =
  `event session sessions user_report feedback client_report attachment transaction log check_in replay_video statsd raw_security
  form_data __proto__ constructor toString hasOwnProperty`.split(/\s+/)

/** Names that mean something to an object, to the database or to the protocol. */
const members =
  `event_id message logentry exception values threads stacktrace frames level platform timestamp release environment user id tags
  request headers cookies breadcrumbs contexts feedback extra fingerprint sdk modules transaction culprit sid started status seq errors init
  attrs aggregates exited crashed discarded_events reason category quantity comments email name __proto__ constructor toString length
  sentry.interfaces.Http function module filename lineno context_line pre_context vars type value mechanism csp-report`.split(/\s+/)

const hard = fc.constantFrom(
  '',
  '\0',
  'a\0b',
  '\ud800',
  '\udfff tail',
  '😀'.repeat(130),
  '\x1f',
  '%s {} {{ default }}',
  'x'.repeat(9000),
  '9'.repeat(400),
  'constructor',
  '__proto__',
  'crashed',
  'ok',
  '2026-02-30T25:61:61Z',
  '0000-00-00',
  '../../etc/passwd',
  new Date().toISOString()
)
const numbers = fc.oneof(fc.integer(), fc.double(), fc.constantFrom(0, -0, -1, 1e21, 1e300, -1e300, 2 ** 53, 2 ** 63, Date.now() / 1000))
const scalar = fc.oneof(hard, numbers, anyText({ maxLength: 30 }), fc.boolean(), fc.constant(null))

/** Anything at all, under names that are looked at. */
const { node: anything } = fc.letrec<{ node: unknown }>(tie => ({
  node: fc.oneof(
    { maxDepth: 5, depthSize: 'small' },
    scalar,
    fc.array(tie('node'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...members), tie('node'), { maxKeys: 8 })
  )
}))

/** Invalid or unusual JSON. */
const oddText = fc.constantFrom(
  '',
  ' ',
  '{',
  '[]',
  'null',
  '"text"',
  '{"a":NaN,"b":-Infinity,"message":"NaN"}',
  '{"message":"\\u0000\\ud800","tags":{"\\u0000":"\\udfff"}}',
  '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}',
  '{"a":1e999,"timestamp":1e999,"lineno":-1e999}',
  `{"extra":${'['.repeat(4000)}${']'.repeat(4000)}}`,
  `{"exception":${'{"a":'.repeat(3000)}`,
  `${'['.repeat(100_000)}`,
  `{"tags":{${Array.from({ length: 2000 }, (_, n) => `"k${n}":${n}`).join(',')}}}`,
  `{"message":"${'a'.repeat(100_000)}"}`,
  '{"exception":{"values":[null,1,{"type":{},"value":[],"stacktrace":{"frames":[null,1,[],{"lineno":"x"}]}}]}}',
  '\ufeff{"message":"with a mark"}',
  '{"message":"one"}{"message":"two"}'
)
const json = fc.oneof({ weight: 5, arbitrary: anything.map(value => JSON.stringify(value)) }, { weight: 2, arbitrary: oddText })
const payload = fc.oneof(
  { weight: 5, arbitrary: json.map(text => Buffer.from(text)) },
  {
    weight: 2,
    arbitrary: fc.tuple(json, fc.array(fc.nat(), { minLength: 1, maxLength: 8 })).map(([text, at]) => flipped(Buffer.from(text), at))
  },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 300 }).map(bytes => Buffer.from(bytes)) }
)

/** A header that keeps to the grammar: the payload's length is told and true, whatever else it says. */
const badItem: fc.Arbitrary<Item> = fc
  .tuple(
    fc.oneof(fc.constantFrom(...types), hard),
    payload,
    fc.dictionary(fc.constantFrom(...members, 'filename', 'content_type'), scalar, { maxKeys: 3 })
  )
  .map(([type, bytes, more]) => ({ bytes: item(bytes, { ...more, type }) }))

const goodItem: fc.Arbitrary<Item> = fc.boolean().map(isEvent => (isEvent ? goodEvent() : goodFeedback()))

const envelopes = fc
  .tuple(fc.array(fc.oneof(badItem, goodItem), { minLength: 1, maxLength: 6 }), fc.boolean(), fc.boolean())
  .map(([items, isBlankBetween, isEnded]) => ({
    items,
    body: Buffer.concat([
      Buffer.from(`{"sent_at":"${new Date().toISOString()}"}\n`),
      Buffer.concat(
        items.flatMap(({ bytes }, n) => [bytes, Buffer.from(n < items.length - 1 ? (isBlankBetween ? '\n\n' : '\n') : isEnded ? '\n' : '')])
      )
    ])
  }))

const encodings: Record<string, (body: Buffer) => Buffer> = {
  '': body => body,
  identity: body => body,
  gzip: body => zlib.gzipSync(body),
  deflate: body => zlib.deflateSync(body),
  br: body => zlib.brotliCompressSync(body, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } }),
  zstd: body => zlib.zstdCompressSync(body)
}
const encoding = fc.constantFrom(...Object.keys(encodings))

/** Bad items among good ones, in an envelope that can be taken apart: every good one has to be there afterwards. */
const recoverable = fc
  .tuple(envelopes, encoding)
  .map(([{ items, body }, encoding]) => sending('envelope/', encodings[encoding]!(body), encoding, items))

/** Bits flipped, bytes cut off or doubled anywhere: nothing in it can be relied on, and taken or refused it is whole. */
const damaged = fc
  .tuple(envelopes, encoding, fc.boolean(), fc.array(fc.nat(), { minLength: 1, maxLength: 6 }), fc.constantFrom('flip', 'cut', 'double'))
  .map(([{ body }, encoding, isInside, at, how]) => {
    const hurt = (bytes: Buffer) =>
      how === 'flip' ? flipped(bytes, at) : how === 'cut' ? bytes.subarray(0, at[0]! % bytes.length) : doubled(bytes, at)

    return sending('envelope/', isInside ? encodings[encoding]!(hurt(body)) : hurt(encodings[encoding]!(body)), encoding)
  })

/** Lengths that lie, items put together anew from pieces of others, encodings that are not what they say. */
const recombined = fc
  .tuple(
    fc.array(fc.tuple(badItem, fc.nat(400), fc.nat(400)), { minLength: 1, maxLength: 4 }),
    fc.constantFrom(...Object.keys(encodings), 'constructor', 'x-gzip', 'gzip, br', 'nonsense')
  )
  .map(([pieces, encoding]) =>
    sending(
      'envelope/',
      Buffer.concat([Buffer.from('{}\n'), ...pieces.map(([{ bytes }, from, to]) => bytes.subarray(from % bytes.length, from + to))]),
      encoding
    )
  )

const store = fc
  .tuple(payload, fc.boolean(), fc.constantFrom('application/json', 'text/plain', 'application/x-sentry-envelope', 'multipart/form-data'))
  .map(([bytes, isBase64, type]) =>
    sending('store/', isBase64 ? Buffer.from(bytes.toString('base64')) : bytes, '', [], { 'content-type': type })
  )

const report = payload.map(bytes => sending('security/', bytes, '', [], { 'content-type': 'application/csp-report' }))

const otherHeaders = fc
  .tuple(
    envelopes,
    fc.dictionary(
      fc.constantFrom('content-type', 'x-sentry-auth', 'authorization', 'origin', 'content-encoding'),
      fc.constantFrom('', 'Sentry ', 'Sentry sentry_key=, a=b', 'Basic !!', 'gzip', 'x', '%00', 'a'.repeat(2000)),
      { minKeys: 1 }
    )
  )
  .map(([{ body }, headers]) => sending('envelope/', body, '', [], headers))

export const anySending: fc.Arbitrary<Sending> = fc.oneof(
  { weight: 6, arbitrary: recoverable },
  { weight: 4, arbitrary: damaged },
  { weight: 2, arbitrary: recombined },
  { weight: 2, arbitrary: store },
  { weight: 1, arbitrary: report },
  { weight: 1, arbitrary: otherHeaders }
)

function sending(path: string, body: Buffer, encoding: string, items: Item[] = [], headers: Record<string, string> = {}): Sending {
  return {
    path,
    body,
    headers: { ...(encoding && { 'content-encoding': encoding }), ...headers },
    good: items.flatMap(({ good }) => good ?? [])
  }
}

function item(payload: Buffer, header: object) {
  return Buffer.concat([Buffer.from(`${JSON.stringify({ ...header, length: payload.length })}\n`), payload])
}

function goodEvent(): Item {
  const id = randomUUID().replaceAll('-', '')

  return { good: { kind: 'event', id }, bytes: item(Buffer.from(JSON.stringify({ event_id: id, message: 'good' })), { type: 'event' }) }
}

function goodFeedback(): Item {
  // In letters: one id in thousands has the digits of a card's number, and is filtered as one.
  const id = randomUUID().replace(/\d/g, digit => 'ghijklmnop'[Number(digit)]!)

  return { good: { kind: 'feedback', id }, bytes: item(Buffer.from(JSON.stringify({ comments: id })), { type: 'user_report' }) }
}

function flipped(bytes: Buffer, at: number[]) {
  const copy = Buffer.from(bytes)

  if (copy.length > 0) for (const bit of at) copy[(bit >> 3) % copy.length]! ^= 1 << (bit & 7)

  return copy
}

function doubled(bytes: Buffer, [from = 0, length = 0]: number[]) {
  const start = from % bytes.length

  return Buffer.concat([bytes.subarray(0, start + (length % 200)), bytes.subarray(start)])
}
