import fc from 'fast-check'
import t from 'tap'
import type { ParsedAlert } from '../../src/alerts/parse/report.ts'
import { AlertAggregator, type AlertState } from '../../src/alerts/store/aggregate-alerts.ts'
import { type Kept, Model, type Said, said } from './model.ts'

const at = new Date('2026-11-21T10:00:00Z')

function aReport({ what, isOver }: Said): ParsedAlert {
  return {
    kind: 'generic',
    title: what ?? '',
    startedAt: at,
    endedAt: isOver ? at : undefined,
    fingerprint: what,
    severity: 'low',
    hosts: [],
    payload: ''
  }
}

/** What the database would hold, written and read as `store.ts` does it. */
class Shelf {
  alerts: Kept[] = []

  work(batch: Said[][]) {
    const open = this.alerts.filter(({ what, status }) => what !== undefined && status !== 'resolved')
    const standing = (kept: Kept): [string, AlertState] => [kept.what!, { iid: kept.iid, title: kept.what!, events: 0, changedAt: at }]
    const fold = new AlertAggregator(new Map(open.map(standing)), this.alerts.length)
    const told = batch.map(request => fold.apply(request.map(aReport), 1, at).alerts.map(({ iid }) => iid))

    for (const { iid, events, endedAt, created: begun } of fold.touched) {
      this.alerts[iid - 1] ??= { iid, what: begun!.report.fingerprint, events: 0, status: 'triggered' }
      this.alerts[iid - 1]!.events += events
      if (endedAt) this.alerts[iid - 1]!.status = 'resolved'
    }

    return told
  }
}

t.test('whatever fires and ends in whatever batches, the alerts are those of the model', async t => {
  const batches = fc.array(fc.array(fc.array(said, { maxLength: 4 }), { maxLength: 5 }), { maxLength: 5 })
  const sameAsModel = fc.property(batches, batches => {
    const [shelf, model] = [new Shelf(), new Model()]

    for (const batch of batches) {
      const told = shelf.work(batch)
      const expected = batch.map(request => model.take(request))

      if (JSON.stringify([told, shelf.alerts]) !== JSON.stringify([expected, model.alerts])) {
        throw new Error(`${JSON.stringify([told, shelf.alerts])} are not ${JSON.stringify([expected, model.alerts])}`)
      }
    }
  })

  t.doesNotThrow(() => fc.assert(sameAsModel, { numRuns: 10_000 }))
})
