import t from 'tap'
import type { ParsedAlert } from '#alerts/parse/parsed-alert.ts'
import { AlertAggregator, type AlertState } from '#alerts/store/aggregate-alerts.ts'
import fc from '../support/properties.ts'
import { Model, type Signal, type StoredAlert, signal } from './model.ts'

const at = new Date('2026-11-21T10:00:00Z')

function aParsedAlert({ name, isResolved }: Signal): ParsedAlert {
  return {
    kind: 'generic',
    given: {},
    title: name ?? '',
    startedAt: at,
    endedAt: isResolved ? at : undefined,
    fingerprint: name,
    severity: 'low',
    hosts: [],
    labels: [],
    payload: ''
  }
}

/** Reads and writes alerts as `alert-store.ts` does, in memory. */
class MemoryStore {
  alerts: StoredAlert[] = []

  process(batch: Signal[][]) {
    const open = this.alerts.filter(({ name, status }) => name !== undefined && status !== 'resolved')
    const toState = ({ iid, name }: StoredAlert): [string, AlertState] => [
      name!,
      { iid, title: name!, severity: 'low', events: 0, startedAt: at, changedAt: at }
    ]
    const options = { integrationId: 1, receivedAt: at, updatesOnRepeat: true }
    const aggregator = new AlertAggregator(new Map(open.map(toState)), this.alerts.length)
    const iids = batch.map(signals => aggregator.apply(signals.map(aParsedAlert), options).alerts.map(({ iid }) => iid))

    for (const { iid, events, endedAt, created } of aggregator.touched) {
      this.alerts[iid - 1] ??= { iid, name: created!.alert.fingerprint, events: 0, status: 'triggered' }
      this.alerts[iid - 1]!.events += events
      if (endedAt) this.alerts[iid - 1]!.status = 'resolved'
    }

    return iids
  }
}

t.test('any batches of firing and resolved alerts give the alerts of the model', async t => {
  const batches = fc.array(fc.array(fc.array(signal, { maxLength: 4 }), { maxLength: 5 }), { maxLength: 5 })
  const sameAsModel = fc.property(batches, batches => {
    const [store, model] = [new MemoryStore(), new Model()]

    for (const batch of batches) {
      const iids = store.process(batch)
      const expected = batch.map(signals => model.apply(signals))

      if (JSON.stringify([iids, store.alerts]) !== JSON.stringify([expected, model.alerts])) {
        throw new Error(`${JSON.stringify([iids, store.alerts])} is not ${JSON.stringify([expected, model.alerts])}`)
      }
    }
  })

  t.doesNotThrow(() => fc.assert(sameAsModel, { numRuns: 10_000 }))
})
