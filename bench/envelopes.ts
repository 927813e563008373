import { randomBytes } from 'node:crypto'
import { crc32, deflateRawSync } from 'node:zlib'

const gzipHeader = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3])
const lastBlock = Buffer.from([0x03, 0x00])

export interface EnvelopeMaker {
  /** A gzipped envelope with a new event id. */
  next: () => { id: string; body: Buffer }
  inflatedBytes: number
}

/**
 * Generates gzipped envelopes of about 10 KB for a number of groups, each with its own event id.
 * Only the line with the id is new (a stored block in the gzip stream), so that generating costs
 * almost nothing compared to the measured work.
 */
export function envelopeMaker(groups = 200): EnvelopeMaker {
  const tails = Array.from({ length: groups }, (_, n) => {
    const event = Buffer.from(JSON.stringify(anEvent(n)))
    const text = Buffer.concat([Buffer.from(`\n{"type":"event","length":${event.length}}\n`), event, Buffer.from('\n')])

    return { text, deflated: deflateRawSync(text, { finishFlush: 2 }) }
  })
  let made = 0

  return {
    inflatedBytes: 100 + tails[0]!.text.length,
    next: () => {
      const { text, deflated } = tails[made++ % groups]!
      const id = randomBytes(16).toString('hex')
      const head = Buffer.from(`{"event_id":"${id}","sent_at":"2026-01-01T00:00:00.000Z","sdk":{"name":"sentry.bench","version":"1.0.0"}}`)
      const stored = Buffer.from([0, head.length & 255, head.length >> 8, ~head.length & 255, (~head.length >> 8) & 255])
      const trailer = Buffer.alloc(8)

      trailer.writeUInt32LE(crc32(text, crc32(head)), 0)
      trailer.writeUInt32LE(head.length + text.length, 4)

      return { id, body: Buffer.concat([gzipHeader, stored, head, deflated, lastBlock, trailer]) }
    }
  }
}

/** An exception as a server SDK reports it: frames with their source lines, a request, contexts. */
function anEvent(group: number) {
  const frames = Array.from({ length: 24 }, (_, n) => ({
    filename: `/srv/app/node_modules/layer-${n % 9}/lib/step_${n}.js`,
    module: `layer-${n % 9}.lib:step_${n}`,
    function: `step${n}_${group}`,
    lineno: 20 + n * 3,
    colno: 11,
    in_app: n > 17,
    context_line: `  const outcome = await next(request.with({ step: ${n}, trace: '${(group * 31 + n).toString(36)}' }))`,
    pre_context: ['  const started = performance.now()', `  log.debug({ step: ${n} }, "entering")`],
    post_context: ['  if (!outcome.ok) throw outcome.error', '  return outcome.value']
  }))

  return {
    platform: 'node',
    timestamp: Date.now() / 1000,
    level: 'error',
    environment: 'production',
    release: 'shop@4.17.2',
    server_name: 'shop-7f9c',
    exception: { values: [{ type: `Failure${group}`, value: `order ${group} could not be placed`, stacktrace: { frames } }] },
    request: {
      url: 'https://shop.example.com/orders',
      method: 'POST',
      headers: { 'user-agent': 'Mozilla/5.0', accept: 'application/json' }
    },
    contexts: { runtime: { name: 'node', version: 'v24.0.0' }, os: { name: 'Linux', kernel_version: '6.1.0' } },
    tags: { region: 'eu-1', tier: 'web' },
    sdk: { name: 'sentry.javascript.node', version: '11.0.0' }
  }
}
