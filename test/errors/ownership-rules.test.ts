import t from 'tap'
import { ownedEvent } from '#errors/ownership/owned-event.ts'
import { compileRules, readRules } from '#errors/ownership/owner-rules.ts'

interface FrameLike {
  filename?: string
  abs_path?: string
  module?: string
  in_app?: boolean
}

/** An event with these frames, the outermost first. */
function event(frames: (string | FrameLike)[], more: object = {}, tags: Record<string, string> = {}) {
  const sent = frames.map(frame => (typeof frame === 'string' ? { filename: frame, in_app: true } : { in_app: true, ...frame }))

  return ownedEvent({ exception: { values: [{ stacktrace: { frames: sent } }] }, ...more }, Object.entries(tags))
}

function ownerOf(rules: string, given: ReturnType<typeof event>) {
  return compileRules(readRules(rules).rules)(given)?.owners.join(' ')
}

t.test('a path may begin in any directory, * stands for slashes too, and a folder for all in it', async t => {
  const table: [pattern: string, file: string, isMatch: boolean][] = [
    ['src/billing/*', 'src/billing/pay.ts', true],
    ['src/billing/*', '/app/src/billing/pay.ts', true],
    ['src/billing/*', 'webpack:///./src/billing/pay.ts', true],
    ['src/billing/*', 'C:\\shop\\src\\billing\\pay.ts', true],
    ['src/billing/*', 'src/billing/deep/er/pay.ts', true],
    ['src/billing/**', 'src/billing/deep/er/pay.ts', true],
    ['src/billing/*', 'lib/mysrc/billing/pay.ts', false],
    ['src/billing/*', 'src/billing.ts', false],
    ['src/billing', 'src/billing/pay.ts', true],
    ['src/billing/', 'src/billing/pay.ts', true],
    ['src/billing', 'src/billings/pay.ts', false],
    ['./src/billing', 'src/billing/pay.ts', true],
    ['/app/src', '/app/src/pay.ts', true],
    ['/src', '/app/src/pay.ts', false],
    ['*.ts', 'src/pay.ts', true],
    ['*.ts', 'src/pay.tsx', false],
    ['pay.ts', 'src/pay.ts', true],
    ['src/*/pay.ts', 'src/a/b/pay.ts', true],
    ['src/**/pay.ts', 'src/a/b/pay.ts', true],
    ['src/pa?.ts', 'src/pay.ts', true],
    ['src/pa?.ts', 'src/pa.ts', false],
    ['src/*/p?y.t?', 'src/a/b/pay.ts', true],
    ['SRC/Pay.ts', 'src/pay.ts', true],
    ['*', 'anything.rb', true],
    ['src/(a|b)+.ts', 'src/(a|b)+.ts', true]
  ]

  for (const [pattern, file, isMatch] of table)
    t.equal(ownerOf(`path:${pattern} @ann`, event([file])), isMatch ? '@ann' : undefined, `${pattern} ${file}`)
  t.equal(ownerOf('src/billing/* @ann', event(['src/billing/pay.ts'])), '@ann', 'a pattern alone is a path')
  t.equal(ownerOf('path:"src/my shop/*" @ann', event(['src/my shop/pay.ts'])), '@ann')
})

t.test('modules, addresses and tags match as a whole', async t => {
  const given = event(
    [{ filename: 'Pay.java', module: 'app.billing.Pay' }],
    { request: { url: 'https://shop.example.com/pay?x=1' } },
    { region: 'eu' }
  )
  const table: [rule: string, isMatch: boolean][] = [
    ['module:app.billing.*', true],
    ['module:billing', false],
    ['url:https://shop.example.com/pay*', true],
    ['url:*/pay', false],
    ['tags.region:eu', true],
    ['tags.region:e?', true],
    ['tag:region=eu', true],
    ['tags.region:EU', false],
    ['tags.zone:*', false]
  ]

  for (const [rule, isMatch] of table) t.equal(ownerOf(`${rule} #team`, given), isMatch ? '#team' : undefined, rule)
})

t.test('the innermost frame of own code that a rule matches counts, and the last rule wins', async t => {
  const rules = 'path:src/* @src\npath:src/billing/* @billing\n\n  # a comment\nurl:*/pay* @web\npath:src/api/* @api'
  const inBilling = event(['src/api/route.ts', 'src/billing/pay.ts', { filename: 'node_modules/stripe/index.js', in_app: false }])

  t.equal(ownerOf(rules, inBilling), '@billing', 'not @api, although that rule is later: its frame is further out')
  t.equal(ownerOf(rules, event(['src/billing/pay.ts', 'src/cart.ts'])), '@src')
  t.equal(ownerOf(rules, event(['src/billing/pay.ts', 'lib/other.ts'])), '@billing', 'frames that no rule matches are passed over')
  t.equal(ownerOf(rules, event(['src/billing/pay.ts'], { request: { url: 'https://a.example/pay' } })), '@web')
  t.equal(ownerOf('path:node_modules/* @libs', event(['a.ts', { filename: 'node_modules/x.js', in_app: false }])), undefined)
  t.equal(
    ownerOf('path:node_modules/* @libs', event([{ filename: 'node_modules/x.js', in_app: false }])),
    '@libs',
    'without own code, all frames'
  )
  t.equal(ownerOf('path:* @ann', event([])), undefined)
})

t.test('lines that cannot be read say how to mend them', async t => {
  const text = [
    'path:src/* @ann',
    'path:src/*',
    'file:src/* @ann',
    'path: @ann',
    'tag:region @ann',
    'path:src/* ann',
    `path:${'*a'.repeat(11)} @ann`,
    `path:${'a'.repeat(251)} @ann`,
    '# path:src/* ann'
  ].join('\n')
  const { rules, problems } = readRules(text)

  t.same(
    rules.map(({ line, matcher, owners }) => [line, matcher, owners]),
    [[1, 'path:src/*', ['@ann']]]
  )
  t.same(problems, [
    { line: 2, text: 'path:src/* has no owner. Add one, such as @ann or #acme/billing' },
    { line: 3, text: 'file: is no matcher. Use path:, module:, url: or tags.NAME:' },
    { line: 4, text: 'path: has no pattern. Write path:src/billing/*' },
    { line: 5, text: 'tag:region names no tag. Write tags.region:value' },
    { line: 6, text: 'ann is no owner. Write @username, an e-mail address or #group/path' },
    { line: 7, text: '*a*a*a*a*a*a*a*a*a*a… is longer than 250 characters, or has more than 10 * and ?. Shorten it' },
    { line: 8, text: `${'a'.repeat(20)}… is longer than 250 characters, or has more than 10 * and ?. Shorten it` }
  ])
})

t.test('many stars and question marks take linear time', async t => {
  const { rules } = readRules(`path:${`${'a'.repeat(40)}?*`.repeat(5)}b @ann\n`.repeat(300))
  const given = event(Array.from({ length: 30 }, (_, n) => `${'a'.repeat(400 - n)}.ts`))
  const begin = process.cpuUsage()

  t.equal(rules.length, 300)
  t.equal(compileRules(rules)(given), undefined)
  t.ok(process.cpuUsage(begin).user < 2_000_000)
})
