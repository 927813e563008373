import { memoize } from './memoize.ts'
import { parseIsoTime } from './time.ts'

const hasZone = /\d(?:Z|[+-]\d\d:?\d\d)$/i

/** The date and time that clocks in a time zone show, to the minute: `2026-11-23T03:15`. */
export function toLocalTime(at: Date, zone: string) {
  return clockAt(at, zone).slice(0, 16)
}

/** The time at which clocks in a time zone show this; undefined when there is none. A time with a zone of its own keeps it. */
export function fromLocalTime(text: string, zone: string) {
  const time = parseIsoTime(text)

  if (!time || hasZone.test(text)) return time
  // The offset may be another one across a change to or from daylight saving time.
  const guess = new Date(time.getTime() - offsetAt(time, zone))

  return new Date(time.getTime() - offsetAt(guess, zone))
}

/** A time as people write it, with its time zone: `26 Nov 2026, 12:24 UTC`. */
export function writtenTime(at: Date, zone = 'UTC') {
  return writtenIn(zone).format(at)
}

/** Milliseconds that clocks in the zone are ahead of UTC. */
function offsetAt(at: Date, zone: string) {
  return Date.parse(`${clockAt(at, zone)}Z`) - Math.floor(at.getTime() / 1000) * 1000
}

function clockAt(at: Date, zone: string) {
  return formatOf(zone).format(at).replace(' ', 'T')
}

/** Swedish writes dates as ISO 8601 does. Creating a format takes much longer than using it. */
const formatOf = memoize(zone => new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' }), {
  max: 1000
})

const writtenIn = memoize(
  timeZone =>
    new Intl.DateTimeFormat('en-GB', {
      timeZone,
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      timeZoneName: 'short'
    }),
  { max: 1000 }
)
