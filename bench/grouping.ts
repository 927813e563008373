import { hash } from 'node:crypto'
import { groupEvent } from '#errors/grouping/group-event.ts'
import { parameterise } from '#errors/grouping/parameterise.ts'
import { normaliseEvent } from '#errors/normalise/normalise-event.ts'

/** Cost of grouping per event, without parsing: `npm run bench -- grouping`. */
const events: [name: string, text: string][] = [
  [
    'node, 50 frames with source',
    anEvent('node', n => ({ filename: `/srv/app/lib/step_${n}.js`, module: `lib:step_${n}`, function: `Step.run${n}` }))
  ],
  [
    'browser, 50 frames',
    anEvent('javascript', n => ({ filename: `https://shop.example/assets/app-DiwrgTd${n % 10}.js`, function: `outer/run${n}<` }))
  ],
  ['java, 50 frames', anEvent('java', n => ({ module: `com.shop.Order$$EnhancerBySpringCGLIB$$${n}`, function: `lambda$run${n}$${n}` }))],
  ['rust, 50 frames', anEvent('native', n => ({ function: `<shop::Cart<T> as shop::Pay>::run${n}::h0123456789abcdef` }))],
  [
    'message',
    JSON.stringify({ message: 'order 17 of ann@example.com failed at 2026-11-20T12:00:00Z: https://shop.example/orders/17 is gone' })
  ],
  ['fingerprint', JSON.stringify({ message: 'order 17 failed', fingerprint: ['{{ default }}', '{{ transaction }}', 'shop'] })]
]

for (const [name, text] of events) {
  const parse = micros(() => JSON.parse(text))
  const event = normaliseEvent(JSON.parse(text))
  const figures = {
    parse,
    normalise: micros(() => normaliseEvent(JSON.parse(text))) - parse,
    identify: micros(() => groupEvent(event))
  }

  console.log(
    name.padEnd(28),
    `${text.length} bytes`.padStart(12),
    ...Object.entries(figures).map(([step, time]) => `  ${step} ${time.toFixed(1)} µs`)
  )
}
const prose = 'order 17 of ann@example.com failed: '.repeat(230).slice(0, 8192)

console.log(`sha1 of 2 KB ${micros(() => hash('sha1', prose.slice(0, 2048), 'buffer')).toFixed(1)} µs`)
console.log(`parameterise 8 KiB of prose ${micros(() => parameterise(prose), 2000).toFixed(1)} µs`)

function anEvent(platform: string, place: (n: number) => object) {
  const frames = Array.from({ length: 50 }, (_, n) => ({
    ...place(n),
    lineno: 20 + n,
    in_app: n > 40,
    context_line: `  const outcome = await next(request.with({ step: ${n} }))`,
    pre_context: ['  const started = performance.now()']
  }))

  return JSON.stringify({ platform, exception: { values: [{ type: 'Failure', value: 'order 17', stacktrace: { frames } }] } })
}

/** CPU time after a warm-up: wall-clock time depends on the machine's other load. */
function micros(run: () => unknown, rounds = 20_000) {
  for (let n = 0; n < rounds / 10; n++) run()
  const begin = process.threadCpuUsage()

  for (let n = 0; n < rounds; n++) run()
  const { user, system } = process.threadCpuUsage(begin)

  return (user + system) / rounds
}
