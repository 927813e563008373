import type { Addressee } from './addressee.ts'

/** When a target got its last messages of a project. */
export interface Window {
  gathersUntil: Date
  hourStartsAt: Date
  sentInHour: number
}

export interface PlannedDelivery {
  addressees: Addressee[]
  sendAt: Date
  isLimited: boolean
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/**
 * Storm control. The first occurrence goes out at once; more of them within the time to gather become one message. The hourly
 * limit delays, and drops nothing: a delayed message has everything that happened until then. Changes the window.
 */
export function planDeliveries(addressees: Addressee[], window: Window, at: Date): PlannedDelivery[] {
  const gatherMs = Math.max(...addressees.map(({ gatherMinutes }) => gatherMinutes)) * minuteMs
  const limit = Math.max(1, Math.min(...addressees.map(({ hourlyLimit }) => hourlyLimit)))
  const planned: PlannedDelivery[] = []

  startHour(window, at)
  const isQuiet = window.gathersUntil <= at
  // One message is left for those that are gathered.
  const atOnce = isQuiet ? Math.min(gatherMs > 0 ? 1 : addressees.length, limit - window.sentInHour) : 0

  for (const addressee of addressees.slice(0, Math.max(0, atOnce))) planned.push({ addressees: [addressee], sendAt: at, isLimited: false })
  window.sentInHour += planned.length
  if (planned.length > 0) window.gathersUntil = later(at, gatherMs)
  const gathered = addressees.slice(planned.length)

  if (gathered.length > 0) planned.push(gather(gathered, window, { limit, gatherMs, at }))

  return planned
}

function gather(addressees: Addressee[], window: Window, { limit, gatherMs, at }: { limit: number; gatherMs: number; at: Date }) {
  let sendAt = window.gathersUntil > at ? window.gathersUntil : at

  startHour(window, sendAt)
  const isLimited = window.sentInHour >= limit

  if (isLimited) {
    sendAt = later(window.hourStartsAt, hourMs)
    startHour(window, sendAt)
  }
  window.sentInHour++
  window.gathersUntil = later(sendAt, gatherMs)

  return { addressees, sendAt, isLimited }
}

function startHour(window: Window, at: Date) {
  if (window.hourStartsAt.getTime() + hourMs > at.getTime()) return
  window.hourStartsAt = at
  window.sentInHour = 0
}

function later(at: Date, ms: number) {
  return new Date(at.getTime() + ms)
}
