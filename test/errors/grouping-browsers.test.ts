import t from 'tap'
import { chrome, edge, engines, firefox, safari } from './fixtures/browsers.ts'
import { apart, failure, together } from './fixtures/events.ts'

const inBrowser = (names: (string | undefined)[], filename = 'https://shop.example/app.js', type = 'Error', value = 'v') =>
  failure(
    names.map(name => ({ function: name, filename, in_app: true, lineno: 1 })),
    { type, value, platform: 'javascript' }
  )

t.test('one failure in Chrome, Firefox, Safari and Edge is one group', async t => {
  together(t, [chrome(), firefox(), safari(), edge()])
})

t.test('a different innermost function or type is another group', async t => {
  const other = chrome()
  const typed = chrome()

  other.exception.values[0]!.stacktrace.frames.at(-1)!.function = 'Module.discount'
  typed.exception.values[0]!.type = 'RangeError'
  for (const engine of Object.values(engines)) apart(t, [engine(), other, typed])
})

t.test('the next build of a bundle, another host and another query are the same file', async t => {
  together(t, [
    chrome(),
    firefox('https://shop.example/assets/index-B3x_K9aQ.js'),
    safari('https://cdn.example/v2/index-AAAAbbbb.js?cache=17#top'),
    edge('http://localhost:4001/index-0a1b2c3d.js')
  ])
  together(t, [inBrowser(['a'], 'https://x.example/main.3f2a1b9c.chunk.js'), inBrowser(['a'], 'https://x.example/main.9c8d7e6f.chunk.js')])
  together(t, [inBrowser(['a'], 'https://x.example/jquery-3.6.0.min.js'), inBrowser(['a'], 'https://x.example/jquery-3.7.1.min.js')])
  together(t, [inBrowser(['a'], 'app:///117.js'), inBrowser(['a'], 'app:///402.js')])
  apart(t, [inBrowser(['a'], 'https://x.example/cart.js'), inBrowser(['a'], 'https://x.example/checkout.js')])
})

t.test('the URL of a page does not affect grouping', async t => {
  together(t, [inBrowser(['pay'], 'https://shop.example/orders/17'), inBrowser(['pay'], 'https://shop.example/orders/18?ref=mail')])
  together(t, [
    failure([{ function: 'pay', filename: '/orders/17', abs_path: 'https://shop.example/orders/17' }], { platform: 'javascript' }),
    failure([{ function: 'pay', filename: '/orders/18', abs_path: 'https://shop.example/orders/18' }], { platform: 'javascript' })
  ])
})

t.test('a module that repeats the path of its file adds nothing to the hash', async t => {
  const at = (host: string) =>
    failure([{ function: 'pay', module: `${host}/js/shop`, abs_path: `https://${host}/js/shop`, filename: '/js/shop' }], {
      platform: 'javascript'
    })

  together(t, [at('a.example'), at('b.example')])
})

t.test('all names of anonymous functions are equal', async t => {
  const nameless = ['?', '<anonymous>', 'anonymous', 'Anonymous function', 'global code', 'Global code', 'module code', 'load/<', undefined]

  together(t, [
    inBrowser(['run', undefined, 'pay']),
    ...nameless.map(name => inBrowser(['run', name, 'pay'])),
    inBrowser(['run', 'Object.<anonymous>', 'pay']),
    inBrowser(['run', '@https://shop.example/app.js', 'pay'])
  ])
})

t.test('all browser spellings of a function name are equal', async t => {
  for (const name of [
    'Cart.pay',
    'Cart.prototype.pay',
    'Object.pay [as onclick]',
    'new pay',
    'async pay',
    'async Cart.pay',
    'Cart.get pay [as pay]',
    'set pay',
    'Object.<computed> [as pay]',
    'outer/pay<',
    'outer/inner/this.pay',
    'async*pay',
    'promise callback*pay',
    'setTimeout handler*pay',
    'pay@http://shop.example/app.js',
    'pay (index 0)'
  ])
    together(t, [inBrowser(['pay']), inBrowser([name])], name)
  apart(t, [inBrowser(['pay']), inBrowser(['Cart.refund']), inBrowser(['outer/ship<']), inBrowser(['./src/cart.js'])])
})

t.test('native and eval frames are ignored', async t => {
  const native = { function: 'map', filename: '[native code]', in_app: true }
  const [known] = inBrowser(['run', 'pay']).exception.values
  const { frames } = known!.stacktrace as { frames: unknown[] }

  for (const noise of [native, { ...native, filename: 'native code', module: 'x' }, { function: 'eval', filename: 'https://a.example/' }])
    together(t, [failure(frames, { platform: 'javascript' }), failure([frames[0], noise, frames[1]], { platform: 'javascript' })])
})

t.test('minified source lines and lines of HTML pages are ignored', async t => {
  const minified = (text: string) =>
    failure([{ function: 'a', filename: '/srv/app/server.js', context_line: text.padEnd(400, ';'), in_app: true }], { platform: 'node' })
  const snipped = (text: string) =>
    failure([{ function: 'a', filename: '/srv/app/server.js', context_line: `{snip} ${text} {snip}`, in_app: true }], { platform: 'node' })
  const inPage = (line: string) =>
    failure([{ function: 'a', filename: 'https://shop.example/cart.js', context_line: line, in_app: true }], { platform: 'javascript' })
  const mapped = (line: string) =>
    failure([{ function: 'a', filename: 'webpack:///./src/cart.ts', context_line: line, in_app: true }], { platform: 'javascript' })

  together(t, [minified('a()'), minified('b()')])
  together(t, [snipped('a()'), snipped('b()')])
  together(t, [inPage('pay('), inPage('.then(total)')])
  apart(t, [mapped('pay()'), mapped('refund()')])
})

t.test('an error without useful frames is grouped by its message', async t => {
  const unseen = (value: string) => inBrowser([undefined], 'https://shop.example/orders/17', 'Error', value)

  together(t, [unseen('order 17 is gone'), unseen('order 18 is gone')])
  apart(t, [unseen('order 17 is gone'), unseen('Script error.')])
})
