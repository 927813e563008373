import { anEventId, type EventLike } from '../../support/factories.ts'

interface Fault {
  type: string
  value: string
  file: string
  function: string
  /** The lines around the line that threw, which is the third. */
  lines: [string, string, string, string, string]
  level?: string
  /** How many events; the first ones have the older release. */
  events: number
}

const faults: Fault[] = [
  {
    type: 'TypeError',
    value: "Cannot read properties of undefined (reading 'price')",
    file: 'src/cart/total.ts',
    function: 'totalOf',
    lines: [
      'export function totalOf (cart: Cart) {',
      '  return cart.lines.reduce((sum, line) => {',
      '    return sum + line.offer.price * line.count',
      '  }, 0)',
      '}'
    ],
    events: 9
  },
  {
    type: 'PaymentDeclined',
    value: 'The card issuer declined the payment: insufficient_funds',
    file: 'src/checkout/pay.ts',
    function: 'authorizePayment',
    lines: [
      '  const answer = await bank.authorize(order.total, card)',
      '',
      '  if (!answer.isApproved) throw new PaymentDeclined(answer.reason)',
      '',
      '  return answer.id'
    ],
    events: 6
  },
  {
    type: 'ConnectionRefusedError',
    value: 'connect ECONNREFUSED 10.0.4.17:5432',
    file: 'src/stock/reserve.ts',
    function: 'reserve',
    lines: [
      'export async function reserve (order: Order) {',
      '  for (const line of order.lines) {',
      '    await stock.take(line.article, line.count)',
      '  }',
      '}'
    ],
    level: 'fatal',
    events: 4
  },
  {
    type: 'RangeError',
    value: 'Invalid currency code: EURO',
    file: 'src/format/money.ts',
    function: 'formatMoney',
    lines: [
      'export function formatMoney (amount: number, currency: string) {',
      '',
      "  return new Intl.NumberFormat('en', { style: 'currency', currency }).format(amount)",
      '}',
      ''
    ],
    level: 'warning',
    events: 3
  }
]

/** Endpoints with errors of their own, so that the list fills a page. */
const endpoints =
  'cart orders invoices search login offers reviews wishlist vouchers shipping returns profile newsletter stock prices images export import reports webhooks sitemap contact'

const endpointFaults: Fault[] = endpoints.split(' ').map((name, n) => ({
  type: n % 3 === 0 ? 'TimeoutError' : 'HTTPError',
  value: n % 3 === 0 ? `POST /api/${name} did not answer within 10 s` : `GET /api/${name} answered 502 Bad Gateway`,
  file: `src/api/${name}.ts`,
  function: `fetch${name[0]!.toUpperCase()}${name.slice(1)}`,
  lines: [
    '  const response = await fetch(url, options)',
    '',
    '  if (!response.ok) throw await HTTPError.of(response)',
    '',
    '  return response.json()'
  ],
  events: 1 + (n % 2)
}))

/** The events of the errors of a web shop. */
export function shopEvents(): EventLike[] {
  return [...endpointFaults, ...faults].flatMap(fault => Array.from({ length: fault.events }, (_, n) => eventOf(fault, n)))
}

function eventOf({ type, value, file, function: name, lines, level = 'error', events }: Fault, n: number): EventLike {
  const frame = {
    function: name,
    filename: file,
    abs_path: `/app/${file}`,
    lineno: 42,
    colno: 11,
    in_app: true,
    vars: { total: 59.9, currency: 'EUR' }
  }

  return {
    event_id: anEventId(),
    platform: 'node',
    level,
    release: n < events / 2 ? 'web-shop@3.14.1' : 'web-shop@3.15.0',
    environment: n % 4 === 3 ? 'staging' : 'production',
    server_name: `web-${(n % 3) + 1}`,
    transaction: 'POST /checkout',
    exception: {
      values: [
        {
          type,
          value,
          mechanism: { type: 'onunhandledrejection', handled: false },
          stacktrace: {
            frames: [
              {
                function: 'processTicksAndRejections',
                filename: 'node:internal/process/task_queues',
                lineno: 105,
                colno: 5,
                in_app: false
              },
              { function: 'Object.handler', filename: 'node_modules/fastify/lib/handle-request.js', lineno: 128, colno: 19, in_app: false },
              {
                ...frame,
                function: 'checkout',
                filename: 'src/checkout/routes.ts',
                lineno: 17,
                context_line: '    const receipt = await checkout(request.body, request.user)',
                vars: {}
              },
              { ...frame, pre_context: lines.slice(0, 2), context_line: lines[2], post_context: lines.slice(3) }
            ]
          }
        }
      ]
    },
    breadcrumbs: {
      values: [
        { category: 'navigation', message: '/cart', timestamp: secondsAgo(40), type: 'navigation', data: { from: '/', to: '/cart' } },
        { category: 'ui.click', message: 'button#checkout', timestamp: secondsAgo(12) },
        {
          category: 'http',
          type: 'http',
          timestamp: secondsAgo(3),
          data: { method: 'POST', url: 'https://shop.example.com/api/orders', status_code: 201 }
        },
        { category: 'console', level: 'warning', message: 'The cart has an offer that expired', timestamp: secondsAgo(1) }
      ]
    },
    request: {
      method: 'POST',
      url: 'https://shop.example.com/checkout',
      query_string: 'step=payment',
      headers: { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', Accept: 'application/json' },
      data: { articles: [{ id: 'A-1017', count: 2 }] }
    },
    user: {
      id: String(100 + n),
      username: ['ann', 'ben', 'cem', 'dora'][n % 4],
      email: `${['ann', 'ben', 'cem', 'dora'][n % 4]}@example.com`
    },
    contexts: {
      runtime: { name: 'node', version: '24.21.0' },
      os: { name: 'Debian', version: '13' },
      device: { memory_size: 8_589_934_592 }
    },
    tags: { region: ['eu-west', 'eu-north', 'us-east'][n % 3], 'payment.provider': 'Bank One' }
  }
}

function secondsAgo(seconds: number) {
  return Date.now() / 1000 - seconds
}
