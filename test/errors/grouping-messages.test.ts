import t from 'tap'
import { parameterise } from '#errors/grouping/parameterise.ts'
import { cpuMs } from '../support/cpu-time.ts'
import fc from '../support/properties.ts'

const examples: Record<string, string[]> = {
  email: ['ann@example.com', 'ann.b+tag@mail.example.co.uk', 'root@localhost'],
  url: ['https://shop.example/a?b=1#c', 'wss://x.example:8080', 'postgresql://u:p@db/shop', 'data:image/png;base64,iVBORw0KGgo='],
  hostname: ['db-1.eu.example.com', 'example.org', 'cache.local'],
  ip: ['10.0.0.1', '255.255.255.255', '::1', 'fe80::1%eth0', '2001:db8::ff00:42:8329', '1:2:3:4:5:6:7:8', '::ffff:10.0.0.1'],
  mac: ['00:1B:44:11:3A:B7', '00-1b-44-11-3a-b7'],
  traceparent: ['00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', '1-67891233-abcdef012345678912345678'],
  uuid: ['123e4567-e89b-12d3-a456-426614174000', '123E4567-E89B-12D3-A456-426614174000'],
  sha1: ['da39a3ee5e6b4b0d3255bfef95601890afd80709'],
  md5: ['d41d8cd98f00b204e9800998ecf8427e'],
  date: [
    '2024-01-02',
    '2024-01-02T03:04:05Z',
    '2024-01-02T03:04:05.678+01:00',
    '2024-01-02 03:04:05,678',
    '2024-01-02 03:04:05 UTC',
    '20240102T030405Z',
    '02/01/2024 10:11',
    '2024/01/02 10:11:12',
    '02.01.2024',
    'Mon, 02 Jan 2006 15:04:05 GMT',
    'Mon Jan 02 2006 15:04:05 GMT+0100 (Central European Time)',
    'Jan 2, 2006',
    '10/Oct/2000:13:55:36 -0700',
    'datetime.datetime(2024, 1, 2, 3, 4)',
    '15:04:05',
    '9:05 PM'
  ],
  duration: ['250ms', '3s', '1.5s', '1m30.5s', '2h45m', '17µs'],
  size: ['5MB', '3.2 GiB', '512 KB'],
  hex: ['0xdeadbeef', '0X1F', '1a2b3c4d5e', 'DEADBEEF12', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  git_sha: ['1a2b3c4'],
  random: ['9s6XKzkNRiz8i3', '01ARZ3NDEKTSV4RRFFQ69G5FAV', 'cjld2cjxh0000qzrmn831i7rn', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-d'],
  float: ['1.5', '-2.25', '6.02e23'],
  int: ['7', '-12', '123456789012', '1,234,567']
}

t.test('variable parts of a message become placeholders', async t => {
  for (const [name, texts] of Object.entries(examples)) {
    for (const text of texts) {
      t.equal(parameterise(text), `<${name}>`)
      t.equal(parameterise(`order (${text}) of "${text}", failed`), `order (<${name}>) of "<${name}>", failed`)
    }
  }
})

t.test('after an equals sign, quoted texts and booleans become placeholders', async t => {
  t.equal(
    parameterise(`user="Ann B" ok=true old=False note='x' say "hi" true`),
    'user=<quoted_str> ok=<bool> old=<bool> note=<quoted_str> say "hi" true'
  )
})

t.test('an id with a prefix becomes a placeholder', async t => {
  t.equal(
    parameterise('user_17 order-18 #19 cus_9s6XKzkNRiz8i3 app.js:12:30'),
    'user_<int> order-<int> #<int> cus_<random> app.js:<int>:<int>'
  )
})

t.test('words with digits and dots are kept', async t => {
  for (const message of [
    'undefined is not an object (evaluating user.id)',
    "Cannot read properties of undefined (reading 'price')",
    'utf8 sha256 base64 ipv4 Order2 x86',
    'java.net.SocketException in main.py, lib.rs and index.js',
    'Shop::Cart std::vector a::b abc::def',
    'deadbeef facade',
    'may I? a 1st 2nd try',
    'utf8ToBase64String, md5ToHex32Digest and renderH1Heading2 failed',
    'no context of 2d or 3d',
    'shop.test of cart.dev is not a function',
    'this.props.name is not',
    ''
  ])
    t.equal(parameterise(message), message)
})

t.test('only the first 8,192 characters are parameterized', async t => {
  const long = `order 17 ${'x'.repeat(8192)} order 18`

  t.match(parameterise(long), /^order <int> x+ order 18$/)
})

t.test('8 KiB made to be hard take a few milliseconds, and twice as much takes twice as long at most', async t => {
  const seeds = [
    'a',
    '1',
    'f',
    ':',
    '-',
    '.',
    '@',
    '=',
    '"',
    "'",
    '/',
    ' ',
    'a.',
    '1.',
    'a-',
    '1-',
    'a:',
    '1:',
    'f:',
    '::',
    'a@',
    'a@a.',
    '="',
    '0x',
    'eyJ',
    'eyJ-'
  ]
  const rest = [
    '',
    'a',
    '1',
    ':',
    '-',
    '.',
    '="',
    'http://',
    'Mon ',
    'Jan 1',
    '00-',
    'datetime.datetime(',
    '1s',
    '12:3',
    'aA1',
    'co',
    '2024-01-02 ',
    '1/1/',
    ',234'
  ]

  for (const text of seeds.flatMap(seed => rest.map(other => seed + other))) {
    t.ok(fastest(text.repeat(8192 / text.length)) < 30, JSON.stringify(text))
  }
})

t.test('no text of any kind takes longer', async t => {
  const part = fc.constantFrom(
    ...Object.values(examples).flat(),
    ...'aF19.:-_@="\'/ ,%+()'.split(''),
    'true',
    'http://',
    'eyJ',
    'Mon, ',
    '0x'
  )
  const text = fc.tuple(fc.array(part, { maxLength: 12 }), fc.array(part, { minLength: 1, maxLength: 6 })).map(([head, tail]) => {
    return (head.join('') + tail.join('').repeat(2000)).slice(0, 8192)
  })

  fc.assert(
    fc.property(text, text => fastest(text) < 30),
    { numRuns: 300 }
  )
  t.pass()
})

t.test('parameterizing a message twice changes nothing', async t => {
  const part = fc.constantFrom(...Object.values(examples).flat(), ' ', ', ', ' of ', 'order ', '(', ')')

  fc.assert(
    fc.property(fc.array(part), parts => {
      const once = parameterise(parts.join(' '))

      return parameterise(once) === once
    })
  )
  t.pass()
})

/** Of three runs: the first ones may include compilation. */
function fastest(text: string) {
  return Math.min(...[0, 1, 2].map(() => cpuMs(() => parameterise(text))))
}

t.test('names in camel case and random ids are told apart', async t => {
  t.equal(parameterise('decodeBase64Url2Text of 9s6XKzkNRiz8i3'), 'decodeBase64Url2Text of <random>')
  t.equal(parameterise('parseHTTP2Header1 of cjld2cjxh0000qzrmn831i7rn'), 'parseHTTP2Header1 of <random>')
})
