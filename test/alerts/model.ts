import fc from '../support/properties.ts'

/** The part of a payload's alert that decides what happens to it. */
export interface Signal {
  /** Undefined for alerts without a fingerprint. */
  name: string | undefined
  isResolved: boolean
}

export interface StoredAlert {
  iid: number
  name: string | undefined
  events: number
  status: string
}

/** The specification of alerts as the simplest possible code. */
export class Model {
  alerts: StoredAlert[] = []

  /** Returns the iids of the receipt. */
  apply(signals: Signal[]) {
    return signals.flatMap(({ name, isResolved }) => {
      const open = this.alerts.find(alert => name !== undefined && alert.name === name && alert.status !== 'resolved')

      if (!open && isResolved) return []
      if (!open) {
        this.alerts.push({ iid: this.alerts.length + 1, name, events: 1, status: 'triggered' })
        return [this.alerts.length]
      }
      if (isResolved) open.status = 'resolved'
      else open.events++

      return [open.iid]
    })
  }

  copy() {
    const copy = new Model()

    copy.alerts = this.alerts.map(alert => ({ ...alert }))

    return copy
  }
}

/** Few names, so that signals often concern the same alert. */
export const signal: fc.Arbitrary<Signal> = fc.record({
  name: fc.constantFrom('cpu', 'disk', 'net', undefined),
  isResolved: fc.boolean()
})
