import t from 'tap'
import { cpuMs } from '../support/cpu-time.ts'
import { apart, failure, hashesOf, together } from './fixtures/events.ts'

const sayings =
  (platform: string) =>
  (...names: string[]) =>
    names.map(name => failure([{ function: name, filename: 'shop', in_app: true }], { platform }))
const modules =
  (platform: string) =>
  (...names: string[]) =>
    names.map(module => failure([{ module, function: 'f', in_app: true }], { platform }))
const lines =
  (platform: string) =>
  (...texts: string[]) =>
    texts.map(context_line => failure([{ function: 'f', filename: 'shop', context_line, in_app: true }], { platform }))

t.test('Ruby: blocks, rescues and templates count as their method', async t => {
  const names = sayings('ruby')

  together(
    t,
    names('place', 'block in place', 'block (2 levels) in place', 'rescue in block in place', 'Shop::Order#place', 'Shop::Order.place')
  )
  together(t, names('_app_views_show_html_erb__1234567_89012', '_app_views_show_html_erb___98765_432'))
  apart(t, names('place', 'ship', '<main>', '<top (required)>', 'Integer#/', 'Array#[]'))
})

t.test('PHP: closures and anonymous classes have no file, line or address in their names', async t => {
  const names = sayings('php')

  together(t, names('{closure}', 'Shop\\{closure}', '{closure:Shop\\Order::place():12}', 'Shop\\Order::{closure}'))
  together(t, names('class@anonymous\0/srv/a.php:12$0::run', 'class@anonymous\0/srv/b.php:99$7f::run', 'Shop\\Job@anonymous\0/x:1$0::run'))
  together(t, names('[Anonymous function]', ''))
  together(t, [
    failure([], { type: 'Shop\\Failure@anonymous\0/srv/a.php:1$0', platform: 'php' }),
    failure([], { type: 'Shop\\Failure@anonymous\0/srv/b.php:2$1', platform: 'php' })
  ])
  apart(t, names('Shop\\Order::place', 'Shop\\Order::ship', '{closure}', 'class@anonymous::run', 'class@anonymous::stop'))
})

t.test('Java: numbers of lambdas, proxies and accessors are ignored', async t => {
  const names = sayings('java')
  const classes = modules('java')

  together(t, names('lambda$place$12', 'lambda$place$3'))
  together(t, names('lambda$12$3', 'lambda$7'))
  together(t, names('place$lambda-3', 'place$lambda-0'))
  together(t, names('access$000', 'access$102'))
  together(t, names('fn__12345', 'fn__777'))
  together(t, classes('com.shop.Order$$EnhancerBySpringCGLIB$$1a2b3c', 'com.shop.Order$$EnhancerBySpringCGLIB$$ffee_2'))
  together(t, classes('com.shop.Order$$FastClassBySpringCGLIB$$abc', 'com.shop.Order$$FastClassBySpringCGLIB$$def'))
  together(t, classes('com.shop.Order$$Lambda$14/0x0000000800b8', 'com.shop.Order$$Lambda$99/0x00007f', 'com.shop.Order$$Lambda/0x01'))
  together(t, classes('com.shop.Order_$$_javassist_74', 'com.shop.Order_$$_javassist_seam_3', 'com.shop.Order_$$_javassist'))
  together(t, classes('com.shop.Order$HibernateProxy$aB3', 'com.shop.Order$HibernateProxy$Zz9'))
  together(t, classes('com.sun.proxy.$Proxy123', 'jdk.proxy2.$Proxy45'))
  together(t, classes('sun.reflect.GeneratedMethodAccessor12', 'sun.reflect.GeneratedMethodAccessor9'))
  together(t, classes('myapp.core$fn__123', 'myapp.core$fn__4'))
  apart(t, names('lambda$place$1', 'lambda$ship$1', 'place', 'access$000'))
  apart(
    t,
    classes('com.shop.Order', 'com.shop.Order$Item', 'com.shop.Order$$EnhancerBySpringCGLIB$$1', 'com.shop.Cart$$EnhancerBySpringCGLIB$$1')
  )
})

t.test('Python: lambdas and comprehensions keep their names, notebook cells lose their numbers', async t => {
  const inFile = (filename: string) => failure([{ function: '<module>', filename, in_app: true }], { platform: 'python' })

  apart(t, sayings('python')('<lambda>', '<listcomp>', '<module>', 'place'))
  together(t, [inFile('<ipython-input-3-aabbcc>'), inFile('<ipython-input-41-ddeeff>')])
})

t.test('Go: numbers of closures and repeated packages are ignored', async t => {
  const names = sayings('go')

  together(t, names('(*Cart).Pay', '(*Cart).Pay.func1', '(*Cart).Pay.func2.3', '(*Cart).Pay.func1.2.gowrap1', '(*Cart).Pay-fm'))
  together(t, names('Map[...]', 'Map[...].func1'))
  together(t, names('init.0', 'init.1'))
  together(t, modules('go')('github.com/acme/shop@v1.2.3/cart', 'github.com/acme/shop@v1.10.0-rc.1/cart'))
  together(t, [
    failure([{ module: 'github.com/acme/shop', function: '(*Cart).Pay', in_app: true }], { platform: 'go' }),
    failure([{ function: 'github.com/acme/shop.(*Cart).Pay.func1', in_app: true }], { platform: 'go' })
  ])
  apart(t, names('(*Cart).Pay', '(*Cart).Ship', 'Pay', 'github.com/acme/a.Pay'))
})

t.test('Rust: hashes, closures and type arguments are ignored', async t => {
  const names = sayings('native')

  together(
    t,
    names(
      'shop::cart::pay',
      'shop::cart::pay::h0123456789abcdef',
      'shop::cart::pay::{{closure}}',
      'shop::cart::pay::{closure#1}::{closure#0}'
    )
  )
  together(t, names('<shop::Cart<T> as shop::Pay>::pay', '<shop::Cart<alloc::string::String> as shop::Pay>::pay::h00112233445566aa'))
  together(
    t,
    sayings('rust')('core::ops::FnOnce::call_once{{vtable.shim}}::h0123456789abcdef', 'core::ops::FnOnce::call_once{{vtable.shim}}')
  )
  apart(t, names('shop::cart::pay', 'shop::cart::ship', '<shop::Cart as shop::Pay>::pay', '<shop::Bill as shop::Pay>::pay'))
})

t.test('native code: arguments, templates, offsets and compiler suffixes are ignored', async t => {
  const names = sayings('native')

  together(
    t,
    names(
      'shop::Cart::pay',
      'shop::Cart::pay(int, std::string)',
      'void shop::Cart<std::map<int, int>>::pay<float>(float) const',
      'shop::Cart::pay(int) [clone .isra.0]',
      'shop::Cart::pay + 0x1f',
      'shop::Cart::pay+44',
      'static shop::Cart::pay() -> Swift.Int'
    )
  )
  together(t, names('memcpy@@GLIBC_2.14', 'memcpy@GLIBC_2.2.5', 'memcpy'))
  together(t, names('__44-[Cart pay:]_block_invoke', '__44-[Cart pay:]_block_invoke_2', '__44-[Cart pay:]_block_invoke.7'))
  together(t, names('main::$_0', 'main::$_1', 'main::{lambda(int)#1}', 'main::{lambda()#2}'))
  together(t, names('<unknown>', '<redacted>', '0x7fff12345678', ''))
  together(t, names('(anonymous namespace)::pay(int)', '(anonymous namespace)::pay()'))
  apart(
    t,
    names(
      'operator<<(std::ostream&, int)',
      'operator>>(std::istream&, int)',
      'operator()(int)',
      'operator==(int, int)',
      'operator new(long)'
    )
  )
  apart(t, names('-[Cart pay:]', '+[Cart pay:]', '-[Cart ship:]', 'pay', 'ns::pay'))
})

t.test('function names of other languages are not changed', async t => {
  apart(t, sayings('elixir')('Shop.Cart.pay/2', 'Shop.Cart.pay/3', 'lambda$1', 'lambda$2'))
})

t.test('a frame may name its own platform', async t => {
  const mixed = (name: string) => failure([{ function: name, filename: 'x', platform: 'java', in_app: true }], { platform: 'javascript' })

  together(t, [mixed('lambda$a$1'), mixed('lambda$a$2')])
})

t.test('the failed source line counts, without its indentation', async t => {
  for (const platform of ['python', 'php', 'ruby', 'node']) {
    const of = lines(platform)

    apart(t, of('pay(order)', 'ship(order)'))
    together(t, of('  if  (a)\t{', 'if (a) {\n'))
    together(t, of('a'.repeat(121), 'b'.repeat(121)), 'a longer one is a bundle')
    apart(t, of('a'.repeat(120), 'b'.repeat(120)))
  }
  for (const platform of ['java', 'go', 'native', 'csharp']) together(t, lines(platform)('pay(order)', 'ship(order)'))
})

t.test('hostile names of a megabyte are grouped in bounded time', async t => {
  const hard = [
    'block in ',
    '.func1',
    '__1',
    '(',
    '<',
    '<a as ',
    '::{{closure}}',
    '$$',
    '$1',
    '@anonymous',
    ' [as ',
    '/',
    'async ',
    '-a1',
    '> '
  ]

  for (const platform of ['javascript', 'ruby', 'php', 'java', 'go', 'native', 'python']) {
    for (const seed of hard) {
      const name = seed.repeat(1_000_000 / seed.length)
      const event = failure([{ function: name, module: name, filename: name, context_line: name, in_app: true }], { platform, type: name })

      t.ok(cpuMs(() => hashesOf(event)) < 300, `${platform} ${seed}`)
    }
  }
})
