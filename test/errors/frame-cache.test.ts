import t from 'tap'
import { groupEvent } from '#errors/grouping/group-event.ts'
import { FrameCache } from '#errors/parse/frame-cache.ts'
import { parseEvent } from '#errors/parse/parse-event.ts'
import { compileRules } from '#errors/scrub/rules.ts'
import { scrub } from '#errors/scrub/scrub.ts'
import fc from '../support/properties.ts'
import { anyText } from '../support/texts.ts'

/** The first is seen, the second is added, the others are found. */
const times = [1, 2, 3, 4]

/** Long enough to be cached. */
function framesWith(line: string) {
  return Array.from({ length: 12 }, (_, n) => ({
    filename: `/srv/shop/step_${n}.js`,
    function: `step${n}`,
    context_line: `${line} // ${n}`,
    in_app: n > 8
  }))
}

function eventWith(frames: unknown, rest = {}) {
  return { exception: { values: [{ type: 'E', value: 'v', stacktrace: { frames } }] }, ...rest }
}

const toBytes = (event: unknown) => Buffer.from(JSON.stringify(event))
const framesOf = (event: unknown) => (event as ReturnType<typeof eventWith>).exception.values[0]!.stacktrace.frames

t.test('a list of frames is parsed once and shared from its second occurrence on', async t => {
  const frameCache = new FrameCache()
  const [first, second, third] = times.map(nth => framesOf(parseEvent(toBytes(eventWith(framesWith('pay()'), { nth })), { frameCache })))

  t.not(first, second)
  t.equal(second, third)
  t.throws(() => Object.assign((third as object[])[0]!, { function: 'other' }), TypeError, 'shared frames are frozen')
})

t.test('short lists are not cached', async t => {
  const frameCache = new FrameCache()

  for (const _ of times) t.equal(frameCache.cut(toBytes(eventWith(framesWith('f()').slice(0, 2)))), undefined)
})

t.test('parsing gives the same event with and without the cache', async t => {
  const frameCache = new FrameCache()
  const shapes: Record<string, unknown> = {
    usual: eventWith(framesWith('pay()')),
    'quotes, brackets and other alphabets in source lines': eventWith(framesWith('say("}]}", \'\\"frames\\":[\', "žluťoučký 🐎")')),
    'local variables': eventWith(framesWith('x').map(frame => ({ ...frame, vars: { list: [{ a: [1] }, { b: {} }] } }))),
    'escapes that Postgres rejects': eventWith(framesWith('a\ud800b')),
    'two exceptions and a thread': {
      exception: [
        { type: 'A', stacktrace: { frames: framesWith('a()') } },
        { type: 'B', stacktrace: { frames: framesWith('b()') } }
      ],
      threads: { values: [{ id: 1, stacktrace: { frames: framesWith('c()') } }] },
      stacktrace: { frames: framesWith('d()') }
    },
    'frames outside of stack traces': { message: 'm', extra: { frames: framesWith('e()') } },
    'the key within a string': { message: `"frames":[${JSON.stringify(framesWith('f()'))}]}`, ...eventWith(framesWith('f()')) },
    'an old client': { 'sentry.interfaces.Exception': { values: [{ type: 'E', stacktrace: { frames: framesWith('g()') } }] } }
  }

  for (const [name, event] of Object.entries(shapes)) {
    const bytes = toBytes(event)

    for (const nth of times) t.same(parseEvent(bytes, { frameCache }), parseEvent(bytes), `${name}, ${nth}`)
  }
})

t.test('lists with the same start are told apart', async t => {
  const frameCache = new FrameCache()
  const frames = framesWith('pay()')
  const longer = [...frames, { filename: 'last.js', function: 'refund', context_line: 'refund()', in_app: true }]

  for (const nth of times)
    for (const list of [frames, longer, frames.slice(1)]) {
      const event = eventWith(list, { nth })

      t.same(parseEvent(toBytes(event), { frameCache }), event)
    }
})

t.test('a repeated key, or a key that ends in frames, is parsed as JSON.parse does', async t => {
  const frameCache = new FrameCache()
  const frames = JSON.stringify(framesWith('twice()'))
  const repeated = `{"exception":{"values":[{"stacktrace":{"frames":${frames}}}]},"exception":{"values":[]}}`
  const longerKey = `{"exception":{"\\"frames":${frames},"value":"v"}}`

  for (const text of [repeated, longerKey]) for (const _ of times) t.same(parseEvent(Buffer.from(text), { frameCache }), JSON.parse(text))
})

t.test('any event is parsed as JSON.parse does, and a truncated one is rejected', async t => {
  const frameCache = new FrameCache()
  const line = anyText({ minLength: 40 }).map(text => text.toWellFormed().replaceAll('\0', ''))
  const events = fc.record({
    frames: line.map(framesWith),
    rest: fc.dictionary(fc.constantFrom('message', 'tags', 'extra'), fc.jsonValue())
  })

  fc.assert(
    fc.property(events, fc.nat(), ({ frames, rest }, at) => {
      const text = JSON.stringify(eventWith(frames, rest))
      const bytes = Buffer.from(text)

      for (const _ of times) t.strictSame(parseEvent(bytes, { frameCache }), JSON.parse(text))
      t.equal(parseEvent(bytes.subarray(0, bytes.length - 1 - (at % 20)), { frameCache }), undefined)
    }),
    { numRuns: 200 }
  )
})

t.test('cached frames are scrubbed and grouped as any others, by the rules of each project', async t => {
  const frameCache = new FrameCache()
  const rules = compileRules({ isEnabled: true, keepsIpAddresses: true, extraKeys: [], safeKeys: [] })
  const disabled = compileRules({ isEnabled: false, keepsIpAddresses: false, extraKeys: [], safeKeys: [] })
  const bytes = toBytes(eventWith(framesWith("login('https://ann:hunter2@shop.example')")))
  const expected = scrub(parseEvent(bytes)!, rules).event

  t.notMatch(JSON.stringify(expected), 'hunter2')
  for (const _ of times) {
    const event = parseEvent(bytes, { frameCache })!
    const scrubbed = scrub(event, rules)

    t.equal(scrubbed.isChanged, true)
    t.same(scrubbed.event, expected)
    t.same(scrub(event, disabled), { event, isChanged: false })
    for (const platform of ['python', 'java'])
      t.same(groupEvent({ ...scrubbed.event, platform }, frameCache.readTrace), groupEvent({ ...expected, platform }))
  }
})
