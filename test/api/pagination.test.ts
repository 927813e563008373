import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import t from 'tap'
import Type from 'typebox'
import { keysetParameters, listPage } from '#api/pagination/keyset.ts'
import { offsetPage, paging } from '#api/pagination/offset.ts'
import { decodeCursor, encodeCursor } from '#api/pagination/page.ts'
import { InvalidInput } from '#lib/refusals.ts'
import { rowsInMemory } from '#platform/database/list.ts'
import fc from '../support/properties.ts'
import { openConventionalApp } from './conventional-app.ts'

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n + 1)
const Query = Type.Object({ ...paging, ...keysetParameters, rows: Type.Optional(Type.Integer()), id_after: Type.Optional(Type.Integer()) })

const routes: FastifyPluginAsyncTypebox = async app => {
  app.get('/numbers', { schema: { querystring: Query } }, async (request, reply) => {
    const { rows = 45 } = request.query

    return listPage(request, reply, {
      orders: { id: ['asc', 'desc'], name: ['asc'] },
      open: ({ sort }) => {
        const all = sort === 'desc' ? numbers(rows).reverse() : numbers(rows)

        return {
          ...rowsInMemory(all),
          kinds: ['id'],
          positionOf: (n: number) => [n],
          read: async ({ after: [after] = [], limit }) =>
            all.filter(n => after === undefined || (sort === 'desc' ? n < Number(after) : n > Number(after))).slice(0, limit)
        }
      }
    })
  })
  app.get('/projects', { schema: { querystring: Query } }, async (request, reply) =>
    offsetPage(request, reply, { ...rowsInMemory([]), type: 'Project' })
  )
}
const { ask, config } = await openConventionalApp(t, routes)
const base = 'http://tocsin.test/api/v4/test'

t.test('a page has headers with its position and links to the others', async t => {
  const { body, headers } = await ask('GET', '/numbers?page=2&per_page=10')

  t.same(body, [11, 12, 13, 14, 15, 16, 17, 18, 19, 20])
  t.hasStrict(headers, { 'x-page': '2', 'x-per-page': '10', 'x-prev-page': '1', 'x-next-page': '3', 'x-total': '45', 'x-total-pages': '5' })
  t.equal(
    headers.link,
    [
      `<${base}/numbers?page=1&per_page=10>; rel="prev"`,
      `<${base}/numbers?page=3&per_page=10>; rel="next"`,
      `<${base}/numbers?page=1&per_page=10>; rel="first"`,
      `<${base}/numbers?page=5&per_page=10>; rel="last"`
    ].join(', ')
  )
})

t.test('the first page, the last page and a page beyond have the right headers', async t => {
  const first = await ask('GET', '/numbers')
  const last = await ask('GET', '/numbers?page=3')
  const beyond = await ask('GET', '/numbers?page=9')

  t.equal(first.body.length, 20)
  t.hasStrict(first.headers, { 'x-page': '1', 'x-per-page': '20', 'x-prev-page': '', 'x-next-page': '2', 'x-total-pages': '3' })
  t.notMatch(first.headers.link, 'rel="prev"')
  t.same(last.body, [41, 42, 43, 44, 45])
  t.hasStrict(last.headers, { 'x-page': '3', 'x-prev-page': '2', 'x-next-page': '' })
  t.notMatch(last.headers.link, 'rel="next"')
  t.same(beyond.body, [])
  t.hasStrict(beyond.headers, { 'x-page': '9', 'x-prev-page': '', 'x-next-page': '', 'x-total': '45', 'x-total-pages': '3' })
  t.equal(
    beyond.headers.link,
    [1, 3].map((page, n) => `<${base}/numbers?page=${page}&per_page=20>; rel="${['first', 'last'][n]}"`).join(', ')
  )
})

t.test('an empty list has one page', async t => {
  const { body, headers } = await ask('GET', '/numbers?rows=0')

  t.same(body, [])
  t.hasStrict(headers, { 'x-total': '0', 'x-total-pages': '1', 'x-next-page': '', 'x-prev-page': '' })
})

t.test('totals above 10,000 are omitted', async t => {
  const exact = await ask('GET', '/numbers?rows=10000&per_page=100')
  const { body, headers } = await ask('GET', '/numbers?rows=10001&per_page=100&page=7')

  t.hasStrict(exact.headers, { 'x-total': '10000', 'x-total-pages': '100' })
  t.equal(body.length, 100)
  t.hasStrict(headers, { 'x-page': '7', 'x-per-page': '100', 'x-prev-page': '6', 'x-next-page': '8' })
  t.equal(headers['x-total'], undefined)
  t.equal(headers['x-total-pages'], undefined)
  t.notMatch(headers.link, 'rel="last"')
  t.same((await ask('GET', '/numbers?rows=10001&per_page=100&page=102')).body, [])
})

t.test('per_page is from 1 to 100', async t => {
  t.equal((await ask('GET', '/numbers?rows=200&per_page=1000')).body.length, 100)
  const { headers } = await ask('GET', '/numbers?rows=200&per_page=1000')
  t.hasStrict(headers, { 'x-per-page': '100' })
  t.match(headers, { link: /per_page=100&page=2>/ })
  for (const wrong of ['per_page=x', 'per_page=1.5', 'page=x', `page=${'9'.repeat(20)}`]) {
    t.hasStrict(await ask('GET', `/numbers?${wrong}`), { status: 400, body: { error: `${wrong.split('=')[0]} is invalid` } }, wrong)
  }
  for (const wrong of ['per_page=0', 'per_page=-1', 'page=0', 'page=-1']) {
    const error = `${wrong.split('=')[0]} must be greater than or equal to 1`

    t.hasStrict(await ask('GET', `/numbers?${wrong}`), { status: 400, body: { error } }, wrong)
  }
  t.hasStrict(await ask('GET', '/numbers?page=&per_page='), { status: 200, headers: { 'x-page': '1', 'x-per-page': '20' } })
})

t.test('a list with keyset pagination refuses large offsets', async t => {
  t.equal((await ask('GET', '/projects?page=500&per_page=100')).status, 200)
  t.hasStrict(await ask('GET', '/projects?page=501&per_page=100'), {
    status: 405,
    body: {
      error:
        'Offset pagination has a maximum allowed offset of 50000 for requests that return objects of type Project. ' +
        'Remaining records can be retrieved using keyset pagination.'
    }
  })
  t.equal((await ask('GET', '/numbers?page=501&per_page=100')).status, 200, 'another does not')
})

t.test('links keep the other parameters, except for credentials', async t => {
  const { headers } = await ask(
    'GET',
    '/numbers?q=a+b%2Bc%26d&ids[]=1&ids[]=2&o[k]=%C3%BC&sudo=joe&private_token=x&job_token=y&access_token=z'
  )
  const [, link] = /<([^>]+)>; rel="next"/.exec(String(headers.link))!
  const { searchParams, pathname } = new URL(link!)

  t.equal(pathname, '/api/v4/test/numbers')
  t.same(
    [...searchParams],
    [
      ['q', 'a b+c&d'],
      ['ids[]', '1'],
      ['ids[]', '2'],
      ['o[k]', 'ü'],
      ['sudo', 'joe'],
      ['page', '2'],
      ['per_page', '20']
    ]
  )
})

t.test('links start with the address that clients use', async t => {
  config.baseUrl = 'https://example.com/tocsin'
  t.teardown(() => {
    config.baseUrl = 'http://tocsin.test'
  })
  t.match(
    (await ask('GET', '/numbers', { headers: { host: 'elsewhere' } })).headers.link,
    '<https://example.com/tocsin/api/v4/test/numbers?page=2'
  )
})

t.test('keyset pages lead to the end through their next links alone', async t => {
  for (const sort of ['asc', 'desc']) {
    const ids: number[] = []
    let url: string | undefined = `/numbers?pagination=keyset&order_by=id&sort=${sort}&per_page=10&q=x`

    while (url) {
      const { body, headers } = await ask('GET', url)
      const [, next] = /^<([^>]+)>; rel="next"$/.exec(String(headers.link ?? '')) ?? []

      ids.push(...body)
      for (const name of ['x-page', 'x-per-page', 'x-total', 'x-next-page']) t.equal(headers[name], undefined)
      if (next)
        t.hasStrict(Object.fromEntries(new URL(next).searchParams), { pagination: 'keyset', order_by: 'id', sort, per_page: '10', q: 'x' })
      url = next?.replace(base, '')
    }
    t.same(ids, sort === 'asc' ? numbers(45) : numbers(45).reverse(), sort)
  }
})

t.test('keyset pagination requires a supported order', async t => {
  const keyset = (query: string) => ask('GET', `/numbers?pagination=keyset${query}`)
  const unsupported = { status: 405, body: { error: 'Keyset pagination is not yet available for this type of request' } }

  t.hasStrict(await keyset(''), { status: 400, body: { error: 'order_by is missing' } })
  t.same((await keyset('&order_by=id&per_page=2')).body, [45, 44], 'descending where nothing is said')
  t.same((await keyset('&order_by=name&per_page=2')).body, [1, 2], 'unless there is only the other way')
  t.hasStrict(await keyset('&order_by=name&sort=desc'), unsupported)
  t.hasStrict(await keyset('&order_by=age'), unsupported)
  for (const inherited of ['constructor', '__proto__', 'toString'])
    t.hasStrict(await keyset(`&order_by=${inherited}`), unsupported, inherited)
  t.hasStrict(await keyset('&order_by=id&sort=up'), { status: 400, body: { error: 'sort does not have a valid value' } })
  t.hasStrict(await keyset('&order_by=id&per_page=0'), { status: 400, body: { error: 'per_page must be greater than or equal to 1' } })
  t.equal((await keyset('&order_by=id&per_page=1000')).body.length, 45)
})

t.test('a forged cursor is refused', async t => {
  const made = (position: unknown) => Buffer.from(JSON.stringify(position)).toString('base64url')

  for (const cursor of [
    'nonsense',
    made([]),
    made(['1']),
    made([1, 2]),
    made({ length: 1, 0: 1 }),
    made(null),
    made([1.5]),
    '!!',
    '%25',
    made('x')
  ]) {
    t.hasStrict(
      await ask('GET', `/numbers?pagination=keyset&order_by=id&cursor=${cursor}`),
      { status: 400, body: { error: 'cursor is invalid' } },
      cursor
    )
  }
  t.equal((await ask('GET', '/numbers?pagination=keyset&order_by=id&cursor=')).status, 200, 'none is the beginning')
})

t.test('a cursor survives URL encoding', async t => {
  const position = fc.tuple(
    fc.string({ unit: 'grapheme', maxLength: 50 }).filter(text => !text.includes('\0')),
    fc.maxSafeInteger()
  )
  const survives = fc.property(position, position => {
    const cursor = encodeCursor(position)

    return /^[\w-]+$/.test(cursor) && JSON.stringify(decodeCursor(decodeURIComponent(cursor), 'text', 'id')) === JSON.stringify(position)
  })

  t.doesNotThrow(() => fc.assert(survives, { numRuns: 300 }))
  t.throws(() => decodeCursor(encodeCursor(['a\0', 1]), 'text', 'id'), new InvalidInput('cursor is invalid'))
  t.throws(() => decodeCursor(encodeCursor(['2026-99-99T00:00:00Z']), 'time'), new InvalidInput('cursor is invalid'))
})
