import { normaliseEvent } from '#errors/normalise/normalise-event.ts'
import { parseEvent } from '#errors/parse/parse-event.ts'
import { compileRules, defaultRules } from '#errors/scrub/rules.ts'
import { scrub } from '#errors/scrub/scrub.ts'

const compiledDefaults = compileRules(defaultRules)
/** Cost of parsing and scrubbing one event: `node bench/scrub.ts [seconds per measurement]`. */
const seconds = Number(process.argv[2] ?? 1)
const samples = { 'usual, 10 KB': anEvent(13), 'large, 100 KB': anEvent(130), 'with secrets, 10 KB': withSecrets(anEvent(13)) }
const off = compileRules({ isEnabled: false, keepsIpAddresses: true, extraKeys: [], safeKeys: [] })

for (const [name, event] of Object.entries(samples)) {
  const payload = Buffer.from(JSON.stringify(event))
  const parsed = parseEvent(payload)!
  const figures = {
    'JSON.parse': measure(() => JSON.parse(payload.toString('utf8'))),
    parseEvent: measure(() => parseEvent(payload)),
    // Parsed again each time: strings that were scanned before are faster.
    'parseEvent + scrub': measure(() => scrub(parseEvent(payload)!, compiledDefaults)),
    'parseEvent + normalise': measure(() => normaliseEvent(parseEvent(payload)!)),
    'parseEvent + normalise + scrub': measure(() => scrub(normaliseEvent(parseEvent(payload)!), compiledDefaults)),
    scrub: measure(() => scrub(parsed, compiledDefaults)),
    'scrub, off': measure(() => scrub(parsed, off)),
    normalise: measure(() => normaliseEvent(parsed))
  }

  console.log(`${name} (${payload.length} bytes)`)
  for (const [what, microseconds] of Object.entries(figures)) console.log(`  ${what.padEnd(32)} ${microseconds.toFixed(1).padStart(8)} µs`)
}

/** The fastest of many short rounds in µs, which other load on the machine affects least. */
function measure(run: () => unknown) {
  const until = performance.now() + seconds * 1000
  let best = Number.POSITIVE_INFINITY

  while (performance.now() < until) {
    const start = performance.now()

    for (let n = 0; n < 10; n++) run()
    best = Math.min(best, (performance.now() - start) / 10)
  }

  return best * 1000
}

/** An event as a server SDK sends it. */
function anEvent(size: number) {
  const frames = Array.from({ length: size }, (_, n) => ({
    filename: `app/services/orders/step_${n}.py`,
    abs_path: `/srv/app/services/orders/step_${n}.py`,
    module: `app.services.orders.step_${n}`,
    function: `place_order_${n}`,
    lineno: 20 + n * 3,
    in_app: n > size / 2,
    context_line: `        outcome = self.gateway.place(order, retries=${n}, timeout=settings.TIMEOUT)`,
    pre_context: ['    def place(self, order):', '        started = time.monotonic()'],
    post_context: ['        if not outcome.ok:', '            raise outcome.error'],
    vars: { order: `<Order: ${n}>`, started: '17231.233', self: '<app.services.orders.Service object at 0x7f2c1a0b3d90>' }
  }))
  const crumbs = Array.from({ length: size }, (_, n) => ({
    timestamp: Date.now() / 1000 - n,
    type: 'http',
    category: 'httplib',
    level: 'info',
    data: { url: `https://inventory.example.com/items/${n}?page=2`, method: 'GET', status_code: 200 }
  }))

  return {
    event_id: '0123456789abcdef0123456789abcdef',
    platform: 'python',
    timestamp: new Date().toISOString(),
    level: 'error',
    environment: 'production',
    release: 'shop@4.17.2',
    server_name: 'shop-7f9c',
    transaction: '/orders/{id}',
    exception: { values: [{ type: 'PaymentError', value: 'order 17 could not be placed', stacktrace: { frames } }] },
    breadcrumbs: { values: crumbs },
    request: {
      url: 'https://shop.example.com/orders',
      method: 'POST',
      query_string: 'page=2&sort=name',
      headers: {
        'User-Agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36',
        Accept: 'application/json'
      }
    },
    user: { id: '17', email: 'ann@example.com', ip_address: '192.0.2.7' },
    contexts: { runtime: { name: 'CPython', version: '3.13.1' }, os: { name: 'Linux', kernel_version: '6.1.0' } },
    tags: { region: 'eu-1', tier: 'web' },
    extra: { attempt: 3, 'sys.argv': ['manage.py', 'runserver'] },
    modules: { django: '5.2', celery: '5.5', requests: '2.32.3' },
    sdk: { name: 'sentry.python', version: '2.68.0' }
  }
}

function withSecrets(event: ReturnType<typeof anEvent>) {
  return {
    ...event,
    request: {
      ...event.request,
      headers: { ...event.request.headers, Authorization: 'Bearer abcdef0123456789', Cookie: 'sid=1; theme=dark' }
    },
    extra: { ...event.extra, password: 'hunter2', dsn: 'postgres://shop:hunter2@db/shop' }
  }
}
