import t from 'tap'
import { isExpectedStatus, parseExpectedStatus } from '#monitors/expected-status.ts'
import type { HttpCheck } from '#monitors/http-check.ts'
import { nextCheck } from '#monitors/next-check.ts'
import { performCheck } from '#monitors/perform-check.ts'
import { aCertificate } from '../support/certificate.ts'
import { openTarget } from './http-server.ts'

const usual: HttpCheck = {
  url: '',
  method: 'GET',
  expectedStatus: '2xx',
  bodyText: '',
  timeoutSeconds: 10,
  followsRedirects: true,
  certificateDays: 14,
  headerNames: []
}
const perform = (check: Partial<HttpCheck>, { headers = {}, allowsPrivate = true } = {}) =>
  performCheck({ ...usual, ...check }, { headers, allowsPrivate }, new Date())

t.test('a check fails with its reason', async t => {
  const { url } = await openTarget(t, (response, { url }) => {
    if (url === '/down') response.writeHead(503)
    if (url !== '/silent') response.end(url === '/long' ? `${'x'.repeat(70_000)}late` : 'all ok')
  })
  const closed = await openTarget(t, response => response.destroy())

  t.equal(await perform({ url }), undefined)
  t.equal(await perform({ url: `${url}down` }), '503 in place of 2xx')
  t.equal(await perform({ url: `${url}down`, expectedStatus: '200, 500-503' }), undefined)
  t.equal(await perform({ url, bodyText: 'ok' }), undefined)
  t.equal(await perform({ url, bodyText: 'fine' }), 'body lacks “fine”')
  t.equal(await perform({ url, method: 'HEAD', bodyText: 'fine' }), undefined, 'an answer to HEAD has no body')
  t.equal(await perform({ url: `${url}long`, bodyText: 'late' }), 'body lacks “late”', 'a body is read up to 64 KiB')
  t.equal(await perform({ url: `${url}silent`, timeoutSeconds: 0.05 }), 'no answer within 0.05 s')
  t.equal(await perform({ url: closed.url }), 'connection lost')
  t.equal(await perform({ url: 'http://127.0.0.1:1/' }), 'connection refused')
})

t.test('private networks are refused, by address and by name', async t => {
  const { url, asked } = await openTarget(t)

  for (const address of [url, url.replace('127.0.0.1', 'localhost'), 'http://[::1]/', 'http://10.0.0.1/'])
    t.equal(await perform({ url: address }, { allowsPrivate: false }), 'address in a private network', address)
  t.same(asked, [])
})

t.test('redirects are followed within limits, and do not lead headers to another origin', async t => {
  const other = await openTarget(t)
  const { url, asked } = await openTarget(t, (response, { url }) => {
    const [, status, location] = /^\/(\d+)-(.+)$/.exec(url) ?? []

    if (status) response.writeHead(Number(status), { location: location === 'other' ? other.url : decodeURIComponent(location!) })
    response.end()
  })
  const headers = { authorization: 'Bearer secret' }

  t.equal(await perform({ url: `${url}302-other`, method: 'POST' }, { headers }), undefined)
  t.same([asked[0]!.method, asked[0]!.headers.authorization], ['POST', 'Bearer secret'])
  t.same([other.asked[0]!.method, other.asked[0]!.headers.authorization], ['GET', undefined])
  t.equal(await perform({ url: `${url}307-%2F`, method: 'POST' }, { headers }), undefined)
  t.same([asked.at(-1)!.method, asked.at(-1)!.headers.authorization], ['POST', 'Bearer secret'])
  t.equal(await perform({ url: `${url}302-x`, followsRedirects: false }), '302 in place of 2xx')
  t.equal(await perform({ url: `${url}302-ftp%3A%2F%2Fexample.com` }), 'redirect to another protocol')
  const loop = await openTarget(t, response => response.writeHead(302, { location: '/' }).end())

  t.equal(await perform({ url: loop.url }), 'more than 5 redirects')
  t.equal(loop.asked.length, 6)
})

t.test('certificates are checked, and warned about before they expire', async t => {
  const { url } = await openTarget(t, undefined, aCertificate(t, { days: 7 }))
  const strange = await openTarget(t, undefined, aCertificate(t, { isTrusted: false }))

  t.equal(await perform({ url }), 'certificate expires in 6 days')
  t.equal(await perform({ url, certificateDays: 6 }), undefined)
  t.equal(await perform({ url, certificateDays: 0 }), undefined)
  t.equal(await perform({ url: strange.url }), 'certificate is not trusted')
  t.equal(await perform({ url: url.replace('127.0.0.1', 'localhost') }), 'certificate is for another host')
})

t.test('expected statuses are hundreds, single ones and ranges', async t => {
  for (const [text, status, isExpected] of [
    ['2xx', 204, true],
    ['2XX, 301-304', 302, true],
    ['200', 201, false],
    [' 200 , 4xx', 404, true]
  ] as const) {
    t.equal(isExpectedStatus(text, status), isExpected, text)
  }
  for (const text of ['', 'ok', '600', '6xx', '200-', '304-301', '200,,201']) t.equal(parseExpectedStatus(text), undefined, text)
})

t.test('the checks of many monitors are spread over their interval', async t => {
  const now = new Date('2026-11-27T12:00:00Z')

  for (const minutes of [1, 60, 1440]) {
    const schedule = { type: 'interval', value: minutes, unit: 'minute' } as const
    const delays = Array.from({ length: 1000 }, (_, id) => nextCheck(id, schedule, now).getTime() - now.getTime())
    const length = minutes * 60_000
    const tenths = Map.groupBy(delays, delay => Math.floor(((delay - 1) / length) * 10)).values()

    t.ok(delays.every(delay => delay > 0 && delay <= length))
    t.ok(
      tenths.every(({ length }) => length > 80 && length < 120),
      `${minutes} min`
    )
    const next = nextCheck(7, schedule, now)

    t.equal(nextCheck(7, schedule, next).getTime() - next.getTime(), length, 'each monitor keeps its place')
  }
})
