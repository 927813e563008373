import { moreSevere } from '#lib/severity.ts'
import type { AlertContent, ParsedAlert, SkippedItem } from '../parse/parsed-alert.ts'

/** The response to a request, stored so that a repeated request gets the same one. */
export interface Receipt {
  alerts: { iid: number; title: string }[]
  skipped?: SkippedItem[]
  changes?: AlertChange[]
}

export interface AlertChange {
  iid: number
  became: 'triggered' | 'resolved'
}

/** An alert while a batch is processed. */
export interface AlertState extends AlertContent {
  iid: number
  /** Set when this batch changed the content. */
  previous?: AlertContent
  /** Occurrences in this batch. */
  events: number
  startedAt: Date
  endedAt?: Date
  changedAt: Date
  /** Time of the last occurrence in this batch. */
  seenAt?: Date
  /** Set for alerts that are not in the database yet. */
  created?: { alert: ParsedAlert; integrationId: number | null; at: Date }
}

interface ApplyOptions {
  integrationId: number | null
  receivedAt: Date
  /** Whether an alert that repeats is updated. */
  updatesOnRepeat: boolean
}

/** Applies the requests of a batch to the alerts of one project. */
export class AlertAggregator {
  /** Unresolved alerts by fingerprint. */
  #open: Map<string, AlertState>
  #lastIid: number
  readonly touched = new Set<AlertState>()

  constructor(open: Map<string, AlertState>, lastIid: number) {
    this.#open = open
    this.#lastIid = lastIid
  }

  get lastIid() {
    return this.#lastIid
  }

  /**
   * A firing alert counts as an occurrence of the open alert with its fingerprint, or creates an alert.
   * A resolved one resolves the open alert, or is ignored when there is none.
   */
  apply(alerts: ParsedAlert[], { integrationId, receivedAt, updatesOnRepeat }: ApplyOptions): Receipt {
    const receipt = { alerts: [] as Receipt['alerts'], changes: [] as AlertChange[] }

    for (const parsed of alerts) {
      const open = parsed.fingerprint ? this.#open.get(parsed.fingerprint) : undefined
      const state = open ?? (parsed.endedAt ? undefined : this.#create(parsed, integrationId, receivedAt))

      if (!state) continue
      if (parsed.endedAt) this.#resolve(state, parsed.fingerprint!, parsed.endedAt)
      else if (open) state.events++
      if (!parsed.endedAt) state.seenAt = receivedAt
      // With a higher severity, an alert may need an incident and e-mail that it did not need before.
      const isRaised = open && !parsed.endedAt && updatesOnRepeat && updateContent(state, parsed.given)

      if (parsed.endedAt || !open || isRaised) receipt.changes.push({ iid: state.iid, became: parsed.endedAt ? 'resolved' : 'triggered' })
      state.changedAt = receivedAt
      this.touched.add(state)
      receipt.alerts.push({ iid: state.iid, title: state.title })
    }

    return receipt
  }

  #create(alert: ParsedAlert, integrationId: number | null, at: Date) {
    const state: AlertState = {
      iid: ++this.#lastIid,
      title: alert.title,
      description: alert.description,
      severity: alert.severity,
      events: 1,
      startedAt: alert.startedAt,
      changedAt: at,
      created: { alert, integrationId, at }
    }

    if (alert.fingerprint) this.#open.set(alert.fingerprint, state)

    return state
  }

  #resolve(state: AlertState, fingerprint: string, endedAt: Date) {
    state.endedAt = endedAt
    this.#open.delete(fingerprint)
  }
}

/** Returns whether the severity is higher than before. */
function updateContent(state: AlertState, given: Partial<AlertContent>) {
  const { title, description, severity } = state
  const raised = given.severity ? moreSevere(severity, given.severity) : severity

  if (raised === severity && (given.title ?? title) === title && (given.description ?? description) === description) return false
  state.previous ??= { title, description, severity }
  state.title = given.title ?? title
  state.description = given.description ?? description
  state.severity = raised

  return raised !== severity
}
