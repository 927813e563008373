import assert from 'node:assert/strict'
import t from 'tap'
import { parseNested } from '#api/parameters/nested-names.ts'
import { parseUrlEncoded, validateText } from '#api/parameters/text.ts'
import { InvalidInput } from '#lib/refusals.ts'
import fc from '../support/properties.ts'
import { anyText } from '../support/texts.ts'

const parse = (text: string) => parseNested(parseUrlEncoded(text))

t.test('names with brackets become arrays, objects, and arrays of objects', async t => {
  t.same(parse('a=1&b=2'), { a: '1', b: '2' })
  t.same(parse('a[]=1&a[]=2'), { a: ['1', '2'] })
  t.same(parse('a[x]=1&a[y][z]=2'), { a: { x: '1', y: { z: '2' } } })
  t.same(parse('v[0][key]=a&v[0][value]=1&v[1][key]=b'), { v: [{ key: 'a', value: '1' }, { key: 'b' }] })
  t.same(parse('v[][key]=a&v[][value]=1&v[][key]=b&v[][value]=2'), {
    v: [
      { key: 'a', value: '1' },
      { key: 'b', value: '2' }
    ]
  })
  t.same(parse('v[][tags][]=a&v[][tags][]=b&v[][key]=c'), { v: [{ tags: ['a', 'b'], key: 'c' }] }, 'a list inside goes on')
  t.same(parse('v[][a][b]=1&v[][a][c]=2&v[][a][b]=3'), { v: [{ a: { b: '1', c: '2' } }, { a: { b: '3' } }] })
  t.same(parse('v[2]=c&v[10]=d&v[0]=a'), { v: ['a', 'c', 'd'] }, 'in the order of their numbers')
  t.same(parse('v[0]=a&v[x]=b'), { v: { 0: 'a', x: 'b' } })
  t.same(parse('v[4000000]=a'), { v: ['a'] }, 'a large number makes no long list')
  t.same(parse('a%5B%5D=1&a%5b%5d=%2B&b=x+y'), { a: ['1', '+'], b: 'x y' }, 'encoded or not')
  t.same(parse('a&b=&=c&&d==e'), { a: '', b: '', '': 'c', d: '=e' })
  t.same(parse('a[=1&b]=2&[c]=3&d[e]f=4&g[[h]]=5'), { 'a[': '1', 'b]': '2', '[c]': '3', 'd[e]f': '4', 'g[[h]]': '5' }, 'odd names')
  t.same(parse('a=1&a=2'), { a: '2' }, 'the last one counts')
})

t.test('contradictory names are refused', async t => {
  for (const text of ['a=1&a[]=2', 'a=1&a[b]=2', 'a[]=1&a[b]=2', 'a[b]=1&a[]=2', 'a[b]=1&a=2', 'a[]=1&a=2', 'a[][]=1']) {
    t.throws(() => parse(text), new InvalidInput('a is invalid'), text)
  }
})

t.test('depth and number of names are limited', async t => {
  t.same(parse(`a${'[b]'.repeat(10)}=1`), { a: JSON.parse(`${'{"b":'.repeat(10)}"1"${'}'.repeat(10)}`) })
  t.throws(() => parse(`a${'[b]'.repeat(11)}=1`), new InvalidInput('a is nested too deeply'))
  t.equal(parse('a[]=1&'.repeat(1000)).a?.constructor, Array)
  t.throws(() => parse('a[]=1&'.repeat(1001)), new InvalidInput('At most 1000 parameters can be given'))
})

t.test('no name changes the prototype of objects', async t => {
  for (const name of ['__proto__', 'constructor', 'prototype', 'a']) {
    for (const rest of ['', '[__proto__]', '[constructor][prototype]', '[][__proto__]', '[0][constructor]'])
      parse(`${name}${rest}[polluted]=yes`)
  }
  t.equal(({} as Record<string, unknown>).polluted, undefined)
  t.same(parse('__proto__[x]=1&a[constructor][y]=2&toString[z]=3&hasOwnProperty=4'), { toString: { z: '3' }, hasOwnProperty: '4' })
})

const names = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '_', '-', '.', '&', '=', '+', '%', ' '), minLength: 1, maxLength: 4 })
const texts = anyText()
const { tree } = fc.letrec(tie => ({
  tree: fc.oneof({ depthSize: 'small' }, texts, tie('list'), tie('members')),
  list: fc.array(fc.oneof(texts, tie('members')), { minLength: 1, maxLength: 4 }),
  members: fc.dictionary(names, tie('tree'), { minKeys: 1, maxKeys: 4, noNullPrototype: true })
}))

t.test('parsing a serialised form returns the original value', async t => {
  const objects = fc.dictionary(names, tree, { maxKeys: 4, noNullPrototype: true })
  const readsTheSame = fc.property(objects, value => {
    const entries = flatten(value)

    fc.pre(entries.length <= 1000 && entries.every(([name]) => name.split('[').length <= 11))
    const text = entries.map(pair => pair.map(encodeURIComponent).join('=')).join('&')

    assert.deepStrictEqual(parse(text), value)
  })

  t.doesNotThrow(() => fc.assert(readsTheSame, { numRuns: 500 }))
})

t.test('any input is parsed or refused', async t => {
  const pieces = ['a', 'b', '[', ']', '[]', '[a]', '[0]', '=', '&', '%', '%5B', '%zz', '%ff', '%00', '__proto__', '+', 'é', '\ud800']
  const joined = fc.array(fc.constantFrom(...pieces), { maxLength: 30 }).map(parts => parts.join(''))
  const isReadOrRefused = fc.property(fc.oneof(anyText(), joined), text => {
    try {
      const value = parse(text)

      validateText(value)
      assert.ok(JSON.stringify(value))
    } catch (error) {
      assert.ok(error instanceof InvalidInput, String(error))
    }
  })

  t.doesNotThrow(() => fc.assert(isReadOrRefused, { numRuns: 3000 }))
  t.equal(({} as Record<string, unknown>).a, undefined)
})

function flatten(value: unknown, name = ''): [string, string][] {
  if (typeof value === 'string') return [[name, value]]
  if (Array.isArray(value)) return value.flatMap((item, n) => flatten(item, `${name}[${n}]`))

  return Object.entries(value as object).flatMap(([key, inner]) => flatten(inner, name ? `${name}[${key}]` : key))
}
