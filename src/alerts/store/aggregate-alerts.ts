import type { ParsedAlert, SkippedItem } from '../parse/report.ts'

/** What a request is answered with, and what it did; kept, so that it is the same whenever it is asked for. */
export interface Receipt {
  alerts: { iid: number; title: string }[]
  skipped?: SkippedItem[]
  changes?: AlertChange[]
}

export interface AlertChange {
  iid: number
  became: 'triggered' | 'resolved'
}

/** An alert as it is while a batch is worked. */
export interface AlertState {
  iid: number
  title: string
  events: number
  endedAt?: Date
  changedAt: Date
  /** Set when it is not stored yet. */
  created?: { report: ParsedAlert; integrationId: number; at: Date }
}

/** The alerts of one project, as far as a batch concerns them. */
export class AlertAggregator {
  /** By fingerprint. */
  #open: Map<string, AlertState>
  #last: number
  readonly touched = new Set<AlertState>()

  constructor(open: Map<string, AlertState>, lastIid: number) {
    this.#open = open
    this.#last = lastIid
  }

  get lastIid() {
    return this.#last
  }

  /** What fires is counted while it is open, and else begun; what is over resolves what is open, and else nothing. */
  apply(reports: ParsedAlert[], integrationId: number, receivedAt: Date): Receipt {
    const answer: Required<Pick<Receipt, 'alerts' | 'changes'>> = { alerts: [], changes: [] }

    for (const report of reports) {
      const open = report.fingerprint ? this.#open.get(report.fingerprint) : undefined
      const alert = open ?? (report.endedAt ? undefined : this.#begin(report, integrationId, receivedAt))

      if (!alert) continue
      if (report.endedAt) this.#resolve(alert, report.fingerprint!, report.endedAt)
      else if (open) alert.events++
      if (report.endedAt || !open) answer.changes.push({ iid: alert.iid, became: report.endedAt ? 'resolved' : 'triggered' })
      alert.changedAt = receivedAt
      this.touched.add(alert)
      answer.alerts.push({ iid: alert.iid, title: alert.title })
    }

    return answer
  }

  #begin(report: ParsedAlert, integrationId: number, at: Date) {
    const alert: AlertState = { iid: ++this.#last, title: report.title, events: 1, changedAt: at, created: { report, integrationId, at } }

    if (report.fingerprint) this.#open.set(report.fingerprint, alert)

    return alert
  }

  #resolve(alert: AlertState, fingerprint: string, endedAt: Date) {
    alert.endedAt = endedAt
    this.#open.delete(fingerprint)
  }
}
