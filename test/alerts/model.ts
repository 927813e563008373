import fc from 'fast-check'

/** One alert of a payload, as far as its fate depends on it. */
export interface Said {
  /** Nothing for one that is never known again. */
  what: string | undefined
  isOver: boolean
}

export interface Kept {
  iid: number
  what: string | undefined
  events: number
  status: string
}

/** Alerts as the specification has them, in the plainest way there is. */
export class Model {
  alerts: Kept[] = []

  /** The numbers that the sender is told. */
  take(said: Said[]) {
    return said.flatMap(({ what, isOver }) => {
      const open = this.alerts.find(alert => what !== undefined && alert.what === what && alert.status !== 'resolved')

      if (!open && isOver) return []
      if (!open) {
        this.alerts.push({ iid: this.alerts.length + 1, what, events: 1, status: 'triggered' })
        return [this.alerts.length]
      }
      if (isOver) open.status = 'resolved'
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

/** A few things that fire and end, so that they often meet. */
export const said: fc.Arbitrary<Said> = fc.record({
  what: fc.constantFrom('cpu', 'disk', 'net', undefined),
  isOver: fc.boolean()
})
