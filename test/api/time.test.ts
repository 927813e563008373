import type { OpenAPIV3_1 } from 'openapi-types'
import t from 'tap'
import { parseIsoTime, writeTime } from '#lib/time.ts'
import fc from '../support/properties.ts'
import { openApp } from '../support/world.ts'

t.test('timestamps have one format, whatever digits and time zone the database returns', async t => {
  const zones = fc.constantFrom('+00:00', '+00', '+05:30', '-03:00', 'Z')

  fc.assert(
    fc.property(fc.date({ noInvalidDate: true, min: new Date(0) }), fc.stringMatching(/^\d{0,6}$/), zones, (date, digits, zone) => {
      const text = `${date.toISOString().slice(0, -5)}${digits && '.'}${digits}${zone}`
      const expected = new Date(text)

      if (!Number.isNaN(expected.getTime())) t.equal(writeTime(text), expected.toISOString(), text)
    }),
    { numRuns: 1000 }
  )
  t.equal(writeTime('2026-11-22T05:11:36.123999+00:00'), '2026-11-22T05:11:36.123Z')
})

const missing = [
  '2027-02-29',
  '2100-02-29',
  '2026-13-45',
  '2026-04-31',
  '2026-00-01',
  '2026-01-00',
  '0000-01-01',
  '0001-01-01T00:00:00+01:00'
]
const malformed = [
  '2026-12-01junk',
  '2026-12-01T',
  '2026-12-01 x',
  '2026-12-01T24:00:00Z',
  '2026-12-31T23:59:60Z',
  '2026-12-01T00:00:00+25:00',
  '2026-1-1',
  '1'
]

t.test('a date or time is read as RFC 3339 writes it, when it exists', async t => {
  for (const [text, expected] of [
    ['2028-02-29', '2028-02-29T00:00:00.000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['2026-01-02T03:04:05', '2026-01-02T03:04:05.000Z'],
    ['2026-01-02 03:04:05.678901+0200', '2026-01-02T01:04:05.678Z'],
    ['2026-01-02t03:04z', '2026-01-02T03:04:00.000Z']
  ] as const)
    t.equal(parseIsoTime(text)?.toISOString(), expected, text)
  for (const text of [...missing, ...malformed, '9999-12-31T23:59:59-01:00', '']) t.equal(parseIsoTime(text), undefined, text)
})

t.test('every date in a query or body is strict, and an invalid one is reported by name', async t => {
  const { app, call } = await openApp(t)
  const { paths = {} } = (await app.inject('/api/v4/openapi.json')).json() as OpenAPIV3_1.Document
  const isTime = (name: string) => /^(since|until|(?!id_|clear_status_)(\w+_)?(after|before))$|^(expires|created)_at$/.test(name)
  let count = 0

  for (const [path, item] of Object.entries(paths))
    for (const method of ['get', 'post', 'put', 'patch'] as const) {
      const { parameters = [], requestBody } = item?.[method] ?? {}
      const url = path.replace('/api/v4', '').replace(/\{\w+\}/g, '1')
      const query = (parameters as OpenAPIV3_1.ParameterObject[]).filter(parameter => parameter.in === 'query').map(({ name }) => name)
      const [content] = Object.values((requestBody as OpenAPIV3_1.RequestBodyObject | undefined)?.content ?? {})
      const { properties = {} } = (content?.schema ?? {}) as OpenAPIV3_1.SchemaObject

      for (const name of [...query, ...Object.keys(properties)].filter(isTime))
        for (const day of ['2027-02-29', '2026-13-45', '0000-01-01', '2026-12-31T23:59:60Z', '2026-12-01junk']) {
          const { status, body } = await call(method.toUpperCase() as 'GET', `${url}?${name}=${day}`)

          count++
          t.equal(status, 400, `${method} ${path} ${name} ${day}`)
          t.match(JSON.stringify(body), `${name} is invalid`, `${method} ${path} ${name} ${day}`)
        }
    }
  t.ok(count > 100, `${count} requests`)
})
