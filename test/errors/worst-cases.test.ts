import t from 'tap'
import { packEvent } from '#errors/events/payload.ts'
import { groupEvent } from '#errors/grouping/group-event.ts'
import { readFields } from '#errors/normalise/event-fields.ts'
import { normaliseEvent } from '#errors/normalise/normalise-event.ts'
import { parseEvent } from '#errors/parse/parse-event.ts'
import { compileRules, defaultRules } from '#errors/scrub/rules.ts'
import { scrub } from '#errors/scrub/scrub.ts'

const compiledDefaults = compileRules(defaultRules)
/** An event may have a mebibyte. The worst of them takes some 200 ms of processor time; machines differ. */
const maxBytes = 1 << 20
const patienceMs = 750
/** Of the many texts each is half as long, and has half the time. */
const maxText = maxBytes / 2

const times = (count: number, make: (n: number) => unknown) => JSON.stringify(Array.from({ length: count }, (_, n) => make(n)))
const filled = (unit: string) => unit.repeat(Math.floor((maxText - 100) / Buffer.byteLength(JSON.stringify(unit).slice(1, -1))))
const frame = (n: number) => ({ function: `f${n}`, filename: `/a/b/c${n}.js`, module: `m${n}`, lineno: n, in_app: true })

/** What can be repeated until a text is full. */
const units = [
  '1',
  '1 ',
  '4111 1111 1111 1111 ',
  '1-',
  '1.',
  'a',
  'aA1',
  'a-',
  'a.',
  'a@',
  '@',
  '"',
  "'",
  '\\"',
  '=',
  '="',
  'a=',
  'token=',
  'password: "',
  'password={',
  'password=[',
  ':',
  '::',
  '://',
  'a://b:',
  'a://b:c@',
  '{',
  '[',
  ']',
  '(',
  '%(',
  '{{ default }}',
  '{{ ',
  'eyJ',
  'eyJaaaaaaaa.',
  'Bearer ',
  'bearer aaaaaa',
  'basic ',
  '-----BEGIN ',
  '-----BEGIN PRIVATE KEY-----',
  'sk-',
  'SG.aaaaaaaaaaaaaaaa.',
  '\n',
  ' ',
  '\t\n ',
  'é',
  '😀',
  'ab:',
  '0:',
  '::ffff:',
  '2026-11-21T',
  '2026-11-21 10:10:10 +',
  'Mon, ',
  'Jan ',
  '12ms',
  '1,000',
  'deadbeef',
  'node_modules/',
  'https://a.b/c?d=',
  'a.com.',
  'lambda$',
  '<anonymous>',
  'Object.',
  '::h0123456789abcdef',
  '@anonymous'
]

/** An event that holds a text wherever texts are read, in pieces that together fill it. */
function everywhere(text: string) {
  const piece = text.slice(0, text.length / 12)

  return {
    message: piece,
    platform: 'javascript',
    exception: {
      values: [
        { type: piece, value: piece, stacktrace: { frames: [{ function: piece, module: piece, context_line: piece, vars: { piece } }] } }
      ]
    },
    fingerprint: ['{{ default }}', piece],
    extra: { piece, [piece]: 'as a key' },
    tags: { [piece]: piece },
    request: { url: piece, query_string: piece, headers: { 'User-Agent': piece } }
  }
}

t.test('hostile text in any field is processed in bounded time', async t => {
  for (const unit of units) {
    const text = filled(unit)

    isQuick(t, JSON.stringify(everywhere(text)), `${JSON.stringify(unit)} everywhere`, patienceMs / 2)
    isQuick(t, JSON.stringify({ message: text }), `${JSON.stringify(unit)} as the message`, patienceMs / 2)
  }
})

t.test('events of hostile structure are processed in bounded time', async t => {
  const shapes: Record<string, string> = {
    '10,000 frames': `{"exception":{"values":[{"type":"E","stacktrace":{"frames":${times(10_000, frame)}}}]}}`,
    '1,000 exceptions of 10 frames': `{"exception":{"values":${times(1000, n => ({ type: `E${n}`, value: 'v', stacktrace: { frames: Array.from({ length: 10 }, (_, m) => frame(m)) } }))}}}`,
    '50,000 exceptions': `{"exception":${times(50_000, () => ({ type: 'E' }))}}`,
    '60,000 tags': `{"tags":{${Array.from({ length: 60_000 }, (_, n) => `"k${n}":"v${n}"`).join(',')}}}`,
    '60,000 pairs of tags': `{"tags":${times(60_000, n => [`k${n}`, 'v'])}}`,
    '15,000 breadcrumbs': `{"breadcrumbs":${times(15_000, n => ({ message: `crumb ${n}`, category: 'http', data: { url: 'https://a.b/c' } }))}}`,
    '60,000 members': `{${Array.from({ length: 60_000 }, (_, n) => `"member_${n}":${n}`).join(',')}}`,
    '200,000 words of tags': JSON.stringify({ tags: 'a=b,'.repeat(200_000) }),
    'cookies of a mebibyte': JSON.stringify({
      request: { cookies: 'a=b;'.repeat(200_000), headers: Array.from({ length: 50_000 }, () => ['a', 'b']) }
    }),
    'nested 500,000 deep': `{"extra":${'['.repeat(500_000)}${']'.repeat(500_000)}}`,
    'nested 150,000 objects deep': `{"extra":${'{"a":'.repeat(150_000)}1${'}'.repeat(150_000)}}`,
    'nested 199 deep, and wide': `{"extra":${`${'['.repeat(190)}${'1,'.repeat(2000)}1${']'.repeat(190)},`.repeat(200).replace(/^(.*),$/, '[$1]')}}`,
    '40,000 prototypes': `{"extra":[${Array.from({ length: 40_000 }, () => '{"__proto__":{"a":1}}').join(',')}]}`,
    '40,000 escapes': JSON.stringify({ extra: Array.from({ length: 40_000 }, () => 'a\0\ud800') }),
    '200,000 NaN': `{"extra":[${Array.from({ length: 200_000 }, () => 'NaN').join(',')}]}`,
    '80,000 quotes of NaN': `{"extra":[${Array.from({ length: 80_000 }, () => '"\\"NaN"').join(',')},NaN]}`,
    'a mebibyte of backslashes': `{"message":"${'\\'.repeat(maxBytes)}`,
    'a mebibyte of escaped quotes': `{"message":"${'\\"'.repeat(maxBytes / 2)}"}`,
    'a mebibyte of base64': Buffer.from('x'.repeat((maxBytes * 3) / 4)).toString('base64'),
    'a template of 4,000 holes and a mebibyte of params': JSON.stringify({
      logentry: { message: '%s'.repeat(4000), params: Array.from({ length: 4000 }, () => 'x'.repeat(200)) }
    })
  }

  for (const [name, text] of Object.entries(shapes)) isQuick(t, text, name)
})

function isQuick(t: { ok: (isTrue: boolean, what: string) => unknown }, text: string, what: string, patience = patienceMs) {
  const payload = Buffer.from(text)
  // Processor time counts: others may be at work on the machine. What stands out is given a second chance.
  const excess = timeOf(payload) > patience ? timeOf(payload) : 0

  t.ok(excess <= patience, `${what}${excess > patience ? `: ${excess} ms` : ''}`)
}

function timeOf(payload: Buffer) {
  const { user, system } = process.cpuUsage()

  work(payload)
  const after = process.cpuUsage({ user, system })

  return Math.round((after.user + after.system) / 1000)
}

function work(payload: Buffer) {
  const event = parseEvent(payload, { maxInflated: 4 * maxBytes })

  if (!event) return
  const { event: clean } = scrub(normaliseEvent(event), compiledDefaults)

  groupEvent(clean)
  readFields(clean, new Date())
  packEvent(clean)
}
