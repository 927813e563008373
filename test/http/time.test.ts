import fc from 'fast-check'
import t from 'tap'
import { writeTime } from '../../src/http/parameters/time.ts'

t.test('moments are told alike, however many digits and whatever zone the database told them with', async t => {
  const zones = fc.constantFrom('+00:00', '+00', '+05:30', '-03:00', 'Z')

  fc.assert(
    fc.property(fc.date({ noInvalidDate: true, min: new Date(0) }), fc.stringMatching(/^\d{0,6}$/), zones, (date, digits, zone) => {
      const told = `${date.toISOString().slice(0, -5)}${digits && '.'}${digits}${zone}`
      const expected = new Date(told)

      if (!Number.isNaN(expected.getTime())) t.equal(writeTime(told), expected.toISOString(), told)
    }),
    { numRuns: 1000 }
  )
  t.equal(writeTime('2026-11-22T05:11:36.123999+00:00'), '2026-11-22T05:11:36.123Z')
})
