import { counted } from '#lib/counted.ts'
import { memoize } from '#lib/memoize.ts'
import { html } from './html.ts'

/** Absolute forms of a time, in the reader's time zone. */
const forms = {
  day: { day: 'numeric', month: 'short', year: 'numeric' },
  minute: { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
  second: { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit', second: '2-digit' },
  hour: { weekday: 'short', hour: '2-digit', minute: '2-digit' },
  /** For daily counts, which begin at midnight in UTC. */
  date: { day: 'numeric', month: 'short', timeZone: 'UTC' },
  /** The last day of something, which ends at midnight in UTC. */
  lastDay: { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' },
  full: { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit', second: '2-digit', timeZoneName: 'short' }
} as const satisfies Record<string, Intl.DateTimeFormatOptions>

export type TimeForm = keyof typeof forms

/** A relative time: "5 minutes ago", "in 3 hours". The page adds the full time as its title. */
export function ago(at: Date, now = new Date()) {
  const minutes = (now.getTime() - at.getTime()) / 60_000
  // What lies ahead is rounded, so that five minutes from now are five until 30 seconds have passed.
  const distance = minutes > 0 ? Math.floor(minutes) : Math.round(-minutes)
  const text = distance < 1 ? 'just now' : minutes > 0 ? `${inWords(distance)} ago` : `in ${inWords(distance)}`

  return html`<time datetime="${at.toISOString()}">${text}</time>`
}

/** An absolute time. The page writes it in the reader's time zone. */
export function timeIn(form: TimeForm, at: Date) {
  return html`<time datetime="${at.toISOString()}" data-as="${form}"></time>`
}

export function day(at: Date) {
  return timeIn('day', at)
}

/** A day such as `2026-11-27`. */
export function lastDay(date: string) {
  return timeIn('lastDay', new Date(date))
}

/** A length of time in its two largest units: "2 h 10 min", "3 d 4 h". Like `ago`, it counts whole minutes. */
export function duration(milliseconds: number) {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000))
  const [days, hours, minutes] = [Math.floor(seconds / 86_400), Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60]

  if (days > 0) return hours > 0 ? `${days} d ${hours} h` : `${days} d`
  if (hours > 0) return minutes > 0 ? `${hours} h ${minutes} min` : `${hours} h`

  return minutes > 0 ? `${minutes} min` : `${seconds} s`
}

/** Writes the absolute times of a rendered page, and the full times as titles, in the reader's time zone. */
export function writeTimes(page: string, zone: string) {
  return page.replaceAll(/(datetime|data-at)="([^"]+)"(?: data-as="(\w+)")?>/g, (tag, name: string, at: string, form?: TimeForm) => {
    const time = new Date(at)

    if (Number.isNaN(time.getTime()) || (form && !(form in forms))) return tag
    const title = name === 'datetime' ? ` title="${write(time, 'full', zone)}"` : ''

    return `${name}="${at}"${title}>${form ? write(time, form, zone) : ''}`
  })
}

function write(time: Date, form: TimeForm, zone: string) {
  return formatOf(`${form} ${zone}`).format(time)
}

/** Creating a format takes much longer than using it. */
const formatOf = memoize(
  name => {
    const [form, zone] = name.split(' ') as [TimeForm, string]

    return new Intl.DateTimeFormat('en-GB', { timeZone: zone, ...forms[form] })
  },
  { max: 1000 }
)

/** An estimate: "about 5 minutes left". */
export function timeLeft(seconds: number) {
  return `about ${seconds < 90 ? 'a minute' : seconds < 5400 ? counted(Math.round(seconds / 60), 'minute') : counted(Math.round(seconds / 3600), 'hour')} left`
}

function inWords(minutes: number) {
  if (minutes < 120) return counted(minutes, 'minute')
  if (minutes < 2880) return `${Math.floor(minutes / 60)} hours`

  return `${Math.floor(minutes / 1440)} days`
}
