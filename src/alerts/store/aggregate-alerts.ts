import type { Report, Skipped } from '../parse/report.ts'

/** What a request is answered with, and what it did; kept, so that it is the same whenever it is asked for. */
export interface Answer {
  alerts: { iid: number; title: string }[]
  skipped?: Skipped[]
  /** What others may want to hear of. */
  news?: News[]
}

export interface News {
  iid: number
  became: 'triggered' | 'resolved'
}

/** An alert as it is while a batch is worked. */
export interface Standing {
  iid: number
  title: string
  events: number
  endedAt?: Date
  changedAt: Date
  /** Set when it is not stored yet. */
  begun?: { report: Report; integrationId: number; at: Date }
}

/** The alerts of one project, as far as a batch concerns them. */
export class Fold {
  /** By fingerprint. */
  #open: Map<string, Standing>
  #last: number
  readonly touched = new Set<Standing>()

  constructor(open: Map<string, Standing>, lastIid: number) {
    this.#open = open
    this.#last = lastIid
  }

  get lastIid() {
    return this.#last
  }

  /** What fires is counted while it is open, and else begun; what is over resolves what is open, and else nothing. */
  take(reports: Report[], integrationId: number, receivedAt: Date): Answer {
    const answer: Required<Pick<Answer, 'alerts' | 'news'>> = { alerts: [], news: [] }

    for (const report of reports) {
      const open = report.fingerprint ? this.#open.get(report.fingerprint) : undefined
      const alert = open ?? (report.endedAt ? undefined : this.#begin(report, integrationId, receivedAt))

      if (!alert) continue
      if (report.endedAt) this.#resolve(alert, report.fingerprint!, report.endedAt)
      else if (open) alert.events++
      if (report.endedAt || !open) answer.news.push({ iid: alert.iid, became: report.endedAt ? 'resolved' : 'triggered' })
      alert.changedAt = receivedAt
      this.touched.add(alert)
      answer.alerts.push({ iid: alert.iid, title: alert.title })
    }

    return answer
  }

  #begin(report: Report, integrationId: number, at: Date) {
    const alert: Standing = { iid: ++this.#last, title: report.title, events: 1, changedAt: at, begun: { report, integrationId, at } }

    if (report.fingerprint) this.#open.set(report.fingerprint, alert)

    return alert
  }

  #resolve(alert: Standing, fingerprint: string, endedAt: Date) {
    alert.endedAt = endedAt
    this.#open.delete(fingerprint)
  }
}
