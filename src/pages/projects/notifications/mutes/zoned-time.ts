import { memoize } from '../../../../lib/memoize.ts'
import { parseIsoTime } from '../../../../lib/time.ts'

/** What clocks in a time zone show, such as `2026-11-23T09:00`: the value of a date and time input. */
export function toZone(at: Date, zone: string) {
  return formatOf(zone).format(at).replace(' ', 'T')
}

/** The time at which clocks in a zone show this; undefined when it is no date and time. In an hour that summer time skips, the next one. */
export function fromZone(local: string, zone: string) {
  const shown = /T/.test(local) ? parseIsoTime(local) : undefined

  if (!shown) return undefined
  const near = new Date(shown.getTime() - offsetMs(shown, zone))

  return new Date(shown.getTime() - offsetMs(near, zone))
}

function offsetMs(at: Date, zone: string) {
  return Date.parse(`${toZone(at, zone)}Z`) - Math.floor(at.getTime() / 60_000) * 60_000
}

const formatOf = memoize(zone => new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' }), { max: 500 })
