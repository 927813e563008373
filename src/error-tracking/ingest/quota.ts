import type { KnownKey } from './authenticate-key.ts'
import type { Ledger } from './outcome-counters.ts'
import { tooMany } from './refusal.ts'

/** Asked before a body is read, so that quotas hold when they are needed most. */
export function checkQuotas(ledger: Ledger, { id, projectId, quota, projectQuota }: KnownKey) {
  const wait = quota === undefined ? undefined : ledger.waitFor(`key ${id}`, quota)

  if (wait) throw tooMany(`This client key may send ${quota} events a minute.`, wait, 'key:quota')
  const projectWait = projectQuota === undefined ? undefined : ledger.waitFor(`project ${projectId}`, projectQuota)

  if (projectWait) throw tooMany(`This project may send ${projectQuota} events a minute.`, projectWait, 'project:quota')
}

/** Asked again when it is known how many events there are, as others came while the body was read. Only what has a limit is counted. */
export function spend(ledger: Ledger, key: KnownKey, events: number) {
  if (events === 0) return
  checkQuotas(ledger, key)
  if (key.quota !== undefined) ledger.use(`key ${key.id}`, events)
  if (key.projectQuota !== undefined || key.spikeFrom !== undefined) ledger.use(`project ${key.projectId}`, events)
}
