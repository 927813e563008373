import fc from 'fast-check'
import t from 'tap'
import { groupEvent } from '../../src/error-tracking/grouping/group-event.ts'
import { cutKnownFrames } from '../../src/error-tracking/parse/known-frames.ts'
import { parseEvent } from '../../src/error-tracking/parse/parse-event.ts'
import { defaultRules } from '../../src/error-tracking/scrub/rules.ts'
import { scrub } from '../../src/error-tracking/scrub/scrub.ts'
import { anyText } from '../support/texts.ts'

const times = [1, 2, 3, 4]

/** Long enough to be worth remembering. */
function framesWith(line: string) {
  return Array.from({ length: 12 }, (_, n) => ({
    filename: `/srv/shop/step_${n}.js`,
    function: `step${n}`,
    context_line: `${line} // ${n}`,
    in_app: n > 8
  }))
}

function failing(frames: unknown, rest = {}) {
  return { exception: { values: [{ type: 'E', value: 'v', stacktrace: { frames } }] }, ...rest }
}

const bytesOf = (event: unknown) => Buffer.from(JSON.stringify(event))

t.test('what is read does not depend on whether its frames came before', t => {
  const shapes: Record<string, unknown> = {
    usual: failing(framesWith('pay()')),
    'with quotes, brackets and other alphabets in its lines': failing(framesWith('say("}]}", \'\\"frames\\":[\', "žluťoučký 🐎")')),
    'with variables': failing(framesWith('x').map(frame => ({ ...frame, vars: { list: [{ a: [1] }, { b: {} }] } }))),
    'two exceptions and a thread': {
      exception: [
        { type: 'A', stacktrace: { frames: framesWith('a()') } },
        { type: 'B', stacktrace: { frames: framesWith('b()') } }
      ],
      threads: { values: [{ id: 1, stacktrace: { frames: framesWith('c()') } }] },
      stacktrace: { frames: framesWith('d()') }
    },
    'frames where no stack trace is': { message: 'm', extra: { frames: framesWith('e()') } },
    'such a name within a text': { message: `"frames":[${JSON.stringify(framesWith('f()'))}]}`, ...failing(framesWith('f()')) },
    'of an old client': { 'sentry.interfaces.Exception': { values: [{ type: 'E', stacktrace: { frames: framesWith('g()') } }] } }
  }

  for (const [name, event] of Object.entries(shapes)) for (const nth of times) t.same(parseEvent(bytesOf(event)), event, `${name}, ${nth}`)
  t.ok(cutKnownFrames(bytesOf(shapes.usual)), 'by now they are known')
  t.end()
})

t.test('frames that only begin alike are told apart', t => {
  const one = framesWith('pay()')
  const other = [...one, { filename: 'last.js', function: 'refund', context_line: 'refund()', in_app: true }]

  for (const nth of times)
    for (const frames of [one, other, one.slice(1)]) t.same(parseEvent(bytesOf(failing(frames, { nth }))), failing(frames, { nth }))
  t.end()
})

t.test('a member that is named twice, or a name that begins before its quote, leads nobody astray', t => {
  const frames = JSON.stringify(framesWith('twice()'))
  const twice = `{"exception":{"values":[{"stacktrace":{"frames":${frames}}}]},"exception":{"values":[]}}`
  const tail = `{"exception":{"\\"frames":${frames},"value":"v"}}`

  for (const text of [twice, tail]) for (const _ of times) t.same(parseEvent(Buffer.from(text)), JSON.parse(text))
  t.end()
})

t.test('any event is read as JSON would be, however often, and whatever is cut off it', t => {
  const line = anyText({ minLength: 40 }).map(text => text.toWellFormed().replaceAll('\0', ''))
  const events = fc.record({
    frames: line.map(framesWith),
    rest: fc.dictionary(fc.constantFrom('message', 'tags', 'extra'), fc.jsonValue())
  })

  fc.assert(
    fc.property(events, fc.nat(), ({ frames, rest }, at) => {
      const text = JSON.stringify(failing(frames, rest))
      const bytes = Buffer.from(text)

      for (const _ of times) t.strictSame(parseEvent(bytes), JSON.parse(text))
      // Broken JSON is no event, also when its frames are known.
      t.equal(parseEvent(bytes.subarray(0, bytes.length - 1 - (at % 20))), undefined)
    }),
    { numRuns: 200 }
  )
  t.end()
})

t.test('what events share cannot be changed, is clean for all of them, and groups them', t => {
  const secret = failing(framesWith("login('https://ann:hunter2@shop.example')"))
  const results = times.map(() => {
    const event = parseEvent(bytesOf(secret))!
    const { event: clean, isChanged } = scrub(event, defaultRules)

    t.ok(isChanged)
    t.notMatch(JSON.stringify(clean), 'hunter2')

    return { clean, hashes: groupEvent(clean).hashes }
  })

  for (const result of results) t.same(result, results[0])
  const [exception] = (parseEvent(bytesOf(secret))!.exception as { values: { stacktrace: { frames: { function: string }[] } }[] }).values

  t.throws(() => Object.assign(exception!.stacktrace.frames[0]!, { function: 'other' }), TypeError)
  t.end()
})
