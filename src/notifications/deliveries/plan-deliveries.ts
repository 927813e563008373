import type { Addressee } from './addressee.ts'

/** When a target got its last messages of a project. */
export interface Window {
  gathersUntil: Date
  hourStartsAt: Date
  sentInHour: number
}

/** A delivery that waits, and gathers what happens until it is sent. */
export interface OpenDelivery {
  id: number
  /** The hourly limit holds it back. */
  isLimited: boolean
}

export interface PlannedDelivery {
  addressees: Addressee[]
  sendAt: Date
  isLimited: boolean
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/**
 * Storm control. The first occurrence goes out at once; more of them within the time to gather become one message, the open one
 * if there is one. Those without a time to gather do not wait for the others. The hourly limit delays, and drops nothing: a
 * delayed message has everything that happened until then. Changes the window.
 */
export function planDeliveries(addressees: Addressee[], window: Window, at: Date, open?: OpenDelivery) {
  const unlimited = addressees.filter(({ hourlyLimit }) => hourlyLimit === Number.POSITIVE_INFINITY)
  const limited = addressees.filter(({ hourlyLimit }) => hourlyLimit !== Number.POSITIVE_INFINITY)
  const { planned, appended } = limited.length > 0 ? planLimited(limited, window, at, open) : { planned: [], appended: [] }

  return { planned: [...planned, ...unlimited.map(addressee => alone(addressee, at))], appended }
}

function planLimited(addressees: Addressee[], window: Window, at: Date, open?: OpenDelivery) {
  const gatherMs = Math.max(...addressees.map(({ gatherMinutes }) => gatherMinutes)) * minuteMs
  const limit = Math.max(1, Math.min(...addressees.map(({ hourlyLimit }) => hourlyLimit)))

  startHour(window, at)
  const isQuiet = !open && window.gathersUntil <= at
  const first = isQuiet ? addressees.filter(isGathered).slice(0, 1) : []
  const prompt = [...first, ...addressees.filter(addressee => !isGathered(addressee))]
  const atOnce = new Set(open?.isLimited ? [] : prompt.slice(0, Math.max(0, limit - window.sentInHour)))
  const rest = addressees.filter(addressee => !atOnce.has(addressee))
  const planned = [...atOnce].map(addressee => alone(addressee, at))

  window.sentInHour += planned.length
  if (first.some(addressee => atOnce.has(addressee))) window.gathersUntil = later(at, gatherMs)
  if (rest.length > 0 && !open) planned.push(gather(rest, window, { limit, gatherMs, at }))

  return { planned, appended: open ? rest : [] }
}

function alone(addressee: Addressee, at: Date): PlannedDelivery {
  return { addressees: [addressee], sendAt: at, isLimited: false }
}

function isGathered({ gatherMinutes }: Addressee) {
  return gatherMinutes > 0
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
