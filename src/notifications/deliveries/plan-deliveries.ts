import { moreSevere, type Severity, severities } from '#lib/severity.ts'
import type { Addressee } from './addressee.ts'

/** When a target got its last messages of a project. */
export interface Window {
  gathersUntil: Date
  hourStartsAt: Date
  sentInHour: number
  /** The highest severity that was sent since the window began; null when nothing was. */
  worst: Severity | null
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
 * Storm control. The first occurrence goes out at once, and so does each that is more severe than all before it; the others within
 * the time to gather become one message, the open one if there is one. Those without a time to gather do not wait for the others.
 * The hourly limit delays, and drops nothing: a delayed message has everything that happened until then. Those that are alone
 * wait for nothing. Changes the window.
 */
export function planDeliveries(addressees: Addressee[], window: Window, at: Date, open?: OpenDelivery) {
  const limit = Math.max(1, Math.min(...addressees.map(({ hourlyLimit }) => hourlyLimit)))
  const planned: PlannedDelivery[] = []
  const rest: Addressee[] = []

  startHour(window, at)
  if (window.gathersUntil <= at) window.worst = null
  for (const addressee of addressees.toSorted(bySeverity)) {
    const isHeld = open?.isLimited || window.sentInHour >= limit

    if (addressee.isAlone || (!isHeld && isPrompt(addressee, window))) planned.push(sendNow(addressee, window, at))
    else rest.push(addressee)
  }
  if (rest.length > 0 && !open) planned.push(gather(rest, window, { limit, at }))

  return { planned, appended: open ? rest : [] }
}

/** The most severe first, otherwise in their order. */
function bySeverity(one: Addressee, other: Addressee) {
  return rank(one.severity) - rank(other.severity)
}

function rank(severity: Severity = 'unknown') {
  return severities.indexOf(severity)
}

/** Nothing as severe was sent in this window, or it is not gathered. */
function isPrompt({ gatherMinutes, severity }: Addressee, { worst }: Window) {
  return gatherMinutes === 0 || worst === null || rank(severity) < rank(worst)
}

function sendNow(addressee: Addressee, window: Window, at: Date): PlannedDelivery {
  window.sentInHour++
  if (addressee.gatherMinutes > 0) {
    raise(window, [addressee])
    if (window.gathersUntil <= at) window.gathersUntil = later(at, gatherMs([addressee]))
  }

  return { addressees: [addressee], sendAt: at, isLimited: false }
}

function gather(addressees: Addressee[], window: Window, { limit, at }: { limit: number; at: Date }) {
  let sendAt = window.gathersUntil > at ? window.gathersUntil : at

  startHour(window, sendAt)
  const isLimited = window.sentInHour >= limit

  if (isLimited) {
    sendAt = later(window.hourStartsAt, hourMs)
    startHour(window, sendAt)
  }
  window.sentInHour++
  window.gathersUntil = later(sendAt, gatherMs(addressees))
  raise(window, addressees)

  return { addressees, sendAt, isLimited }
}

function raise(window: Window, addressees: Addressee[]) {
  for (const { severity = 'unknown' } of addressees) window.worst = window.worst ? moreSevere(window.worst, severity) : severity
}

function gatherMs(addressees: Addressee[]) {
  return Math.max(...addressees.map(({ gatherMinutes }) => gatherMinutes)) * minuteMs
}

function startHour(window: Window, at: Date) {
  if (window.hourStartsAt.getTime() + hourMs > at.getTime()) return
  window.hourStartsAt = at
  window.sentInHour = 0
}

function later(at: Date, ms: number) {
  return new Date(at.getTime() + ms)
}
