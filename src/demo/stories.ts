import { newId } from './client.ts'
import { aCustomer, dayMs, type ProjectPath, pick, releaseAt } from './shop.ts'
import { type Build, frameOf } from './storefront.ts'

interface Moment {
  random: () => number
  builds: Build[]
  /** The release that ran then, the oldest being 0. */
  release: number
}

/** An error that the shop has had. */
interface Story {
  project: ProjectPath
  /** Events a day. */
  daily: number
  /** Days ago on which it was seen; live errors have `until` 0. */
  since: number
  until: number
  event: (moment: Moment) => object
}

export const stories: Story[] = [
  {
    project: 'storefront',
    daily: 22,
    since: 27,
    until: 0,
    event: moment =>
      browser(moment, 'TypeError', "Cannot read properties of undefined (reading 'percent')", '/cart', [
        ['src/main.ts', 'placeOrder(items', 'HTMLButtonElement.<anonymous>'],
        ['src/checkout.ts', 'cartTotal(items)', 'o'],
        ['src/cart.ts', 'reduce(', 'n'],
        ['src/cart.ts', 'lineTotal(item), 0', 'i'],
        ['src/cart.ts', 'percent }', 't']
      ])
  },
  {
    project: 'storefront',
    daily: 9,
    since: 27,
    until: 15,
    event: moment =>
      browser(moment, 'SyntaxError', 'Unexpected end of JSON input', '/search', [
        ['src/main.ts', 'readFilters(localStorage', 'window.<anonymous>'],
        ['src/search.ts', 'JSON.parse(', 'l']
      ])
  },
  {
    project: 'storefront',
    daily: 14,
    since: 15,
    until: 0,
    event: moment =>
      browser(moment, 'TypeError', "Cannot read properties of null (reading 'url')", '/checkout', [
        ['src/checkout.ts', 'order.payment.redirect.url', 'c']
      ])
  },
  {
    project: 'storefront',
    daily: 31,
    since: 4,
    until: 0,
    event: moment =>
      browser(moment, 'TypeError', 'wishlist.entries is not iterable', '/account/wishlist', [
        ['src/main.ts', 'loadWishlist(event', 'HTMLDetailsElement.<anonymous>'],
        ['src/wishlist.ts', 'wishlist.entries', 'd']
      ])
  },
  {
    project: 'storefront',
    daily: 6,
    since: 20,
    until: 0,
    event: moment =>
      browser(moment, 'Error', `Order could not be placed: ${pick(moment.random, [409, 502, 503])}`, '/checkout', [
        ['src/main.ts', 'placeOrder(items', 'HTMLButtonElement.<anonymous>'],
        ['src/checkout.ts', "new Error('Order", 'c']
      ])
  },
  {
    // Appears while one looks.
    project: 'storefront',
    daily: 0,
    since: 0,
    until: 0,
    event: moment =>
      browser(moment, 'RangeError', 'Incorrect locale information provided', '/cart', [
        ['src/main.ts', 'describeCart(items', 'window.<anonymous>'],
        ['src/cart.ts', 'formatPrice(cartTotal', 'u'],
        ['src/money.ts', 'new Intl.NumberFormat', 'r']
      ])
  },
  {
    project: 'api',
    daily: 60,
    since: 0.3,
    until: 0,
    event: moment =>
      python(moment, 'ConnectionResetError', '[Errno 104] Connection reset by peer', 'GET /api/catalogue', [
        ['shop/catalogue/views.py', 'list_products', 27, '    levels = stock.levels(page)'],
        ['shop/stock/client.py', 'levels', 44, '    response = self.session.get(url, timeout=2)']
      ])
  },
  {
    project: 'api',
    daily: 12,
    since: 27,
    until: 0,
    event: moment =>
      python(moment, 'OutOfStock', `${pick(moment.random, ['mug-07', 'lamp-2', 'tee-xl'])} has 0 left`, 'POST /api/orders', [
        ['shop/orders/views.py', 'create_order', 48, '    order = place(cart, customer=request.user)'],
        ['shop/orders/place.py', 'place', 71, '    reserve(line.product, line.quantity)'],
        ['shop/stock/reserve.py', 'reserve', 23, '        raise OutOfStock(f"{product.sku} has {product.left} left")']
      ])
  },
  {
    project: 'api',
    daily: 17,
    since: 15,
    until: 4,
    event: moment =>
      python(moment, 'OperationalError', 'deadlock detected', 'POST /api/orders', [
        ['shop/orders/views.py', 'create_order', 48, '    order = place(cart, customer=request.user)'],
        ['shop/stock/reserve.py', 'reserve', 19, '    product = Product.objects.select_for_update().get(pk=pk)']
      ])
  },
  {
    project: 'api',
    daily: 8,
    since: 24,
    until: 0,
    event: moment =>
      python(moment, 'KeyError', "'shipping_address'", 'PUT /api/account', [
        ['shop/accounts/views.py', 'update_account', 92, '    address = parse(request.data["shipping_address"])']
      ])
  },
  {
    project: 'api',
    daily: 4,
    since: 4,
    until: 0,
    event: moment =>
      python(
        moment,
        'UnicodeDecodeError',
        "'utf-8' codec can't decode byte 0xe9 in position 14: invalid continuation byte",
        'shop.tasks.import_catalogue',
        [['shop/tasks.py', 'import_catalogue', 31, '    for row in csv.DictReader(feed.read().decode()):']]
      )
  },
  {
    project: 'payments',
    daily: 10,
    since: 27,
    until: 0,
    event: moment =>
      java(
        moment,
        'com.acme.payments.CardDeclined',
        `card declined: ${pick(moment.random, ['insufficient_funds', 'expired_card', 'do_not_honor'])}`,
        [
          ['com.acme.payments.web.ChargeController', 'charge', 'ChargeController.java', 57],
          ['com.acme.payments.ChargeService', 'authorize', 'ChargeService.java', 112],
          ['com.acme.payments.gateway.CardGateway', 'send', 'CardGateway.java', 88]
        ]
      )
  },
  {
    project: 'payments',
    daily: 13,
    since: 4,
    until: 0,
    event: moment =>
      java(moment, 'java.lang.NullPointerException', 'Cannot invoke "com.acme.payments.Invoice.getTaxId()" because "invoice" is null', [
        ['com.acme.payments.web.InvoiceController', 'download', 'InvoiceController.java', 41],
        ['com.acme.payments.pdf.InvoiceRenderer', 'renderTax', 'InvoiceRenderer.java', 134]
      ])
  },
  {
    project: 'payments',
    daily: 5,
    since: 18,
    until: 0,
    event: moment =>
      java(moment, 'java.net.SocketTimeoutException', 'Read timed out', [
        ['com.acme.payments.RefundJob', 'run', 'RefundJob.java', 63],
        ['com.acme.payments.gateway.CardGateway', 'send', 'CardGateway.java', 91]
      ])
  }
]

/** An event of a story, sent as the SDK of its platform sends it. */
export function eventOf(story: Story, at: number, random: () => number, builds: Build[]) {
  const daysAgo = (Date.now() - at) / dayMs
  const { index, version } = releaseAt(story.project, daysAgo)
  const { geo, ...user } = aCustomer(random)

  return {
    event_id: newId(),
    timestamp: at / 1000,
    level: 'error',
    environment: random() < 0.9 ? 'production' : 'staging',
    release: version,
    user: { ...user, geo },
    ...story.event({ random, builds, release: index })
  }
}

type BrowserFrame = [file: string, text: string, name: string]

function browser({ random, builds, release }: Moment, type: string, value: string, path: string, places: BrowserFrame[]) {
  const build = builds[release]!
  const [name, version, os] = pick(random, [
    ['Chrome', '141.0.0', 'Windows'],
    ['Safari', '19.1', 'iOS'],
    ['Firefox', '144.0', 'Linux'],
    ['Edge', '141.0.0', 'Windows']
  ])

  return {
    platform: 'javascript',
    sdk: { name: 'sentry.javascript.browser', version: '11.9.0' },
    transaction: path,
    request: { url: `https://shop.example.com${path}`, headers: { Referer: 'https://shop.example.com/' } },
    tags: { 'page.locale': pick(random, ['de', 'fr', 'en']), 'ab.checkout': pick(random, ['a', 'b']) },
    contexts: { browser: { name, version }, os: { name: os } },
    exception: {
      values: [
        {
          type,
          value,
          mechanism: { type: 'auto.browser.global_handlers.onunhandledrejection', handled: false },
          stacktrace: { frames: places.map(([file, text, name]) => frameOf(build, release, file, text, name)) }
        }
      ]
    },
    debug_meta: { images: [{ type: 'sourcemap', code_file: build.url, debug_id: build.debugId }] },
    breadcrumbs: breadcrumbs([
      ['navigation', `to: ${path}`],
      ['fetch', 'GET /api/cart [200]'],
      ['ui.click', 'main > form#cart > button#pay']
    ])
  }
}

type PythonFrame = [file: string, name: string, line: number, text: string]

function python({ random }: Moment, type: string, value: string, transaction: string, places: PythonFrame[]) {
  return {
    platform: 'python',
    sdk: { name: 'sentry.python.django', version: '2.44.0' },
    transaction,
    server_name: `api-${1 + Math.floor(random() * 3)}`,
    tags: { region: pick(random, ['eu-1', 'eu-2']), queue: 'default' },
    contexts: { runtime: { name: 'CPython', version: '3.14.1' } },
    exception: {
      values: [
        {
          type,
          value,
          mechanism: { type: 'django', handled: false },
          stacktrace: {
            frames: [
              {
                filename: 'django/core/handlers/base.py',
                function: '_get_response',
                module: 'django.core.handlers.base',
                lineno: 197,
                in_app: false
              },
              ...places.map(([filename, name, lineno, text]) => ({
                filename,
                abs_path: `/srv/${filename}`,
                module: filename.replace('.py', '').replaceAll('/', '.'),
                function: name,
                lineno,
                context_line: text,
                in_app: true
              }))
            ]
          }
        }
      ]
    },
    breadcrumbs: breadcrumbs([
      ['query', 'SELECT * FROM carts WHERE customer_id = %s'],
      ['httplib', 'GET stock.internal/levels [200]']
    ])
  }
}

type JavaFrame = [module: string, name: string, file: string, line: number]

function java({ random }: Moment, type: string, value: string, places: JavaFrame[]) {
  const [, module = '', name = ''] = /^(.*)\.(\w+)$/.exec(type) ?? []

  return {
    platform: 'java',
    sdk: { name: 'sentry.java.spring-boot.jakarta', version: '8.27.0' },
    server_name: `payments-${1 + Math.floor(random() * 2)}`,
    logger: 'org.springframework.boot.SpringApplication',
    tags: { 'payment.provider': pick(random, ['adyen', 'stripe']), zone: pick(random, ['a', 'b']) },
    contexts: { runtime: { name: 'OpenJDK', version: '25.0.1' } },
    exception: {
      values: [
        {
          type: name,
          module,
          value,
          thread_id: 42,
          stacktrace: {
            frames: [
              {
                module: 'org.springframework.web.servlet.FrameworkServlet',
                function: 'service',
                filename: 'FrameworkServlet.java',
                lineno: 885,
                in_app: false
              },
              ...places.map(([module, name, filename, lineno]) => ({ module, function: name, filename, lineno, in_app: true }))
            ]
          }
        }
      ]
    },
    breadcrumbs: breadcrumbs([['http', 'POST gateway.example.net/authorize [200]']])
  }
}

function breadcrumbs(list: [category: string, message: string][]) {
  return { values: list.map(([category, message]) => ({ category, message, level: 'info' })) }
}
