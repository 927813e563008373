import type { KnownKey } from './guard.ts'
import type { Ledger } from './ledger.ts'
import { tooMany } from './refusal.ts'

/** Asked before a body is read, so that quotas hold when they are needed most. */
export function checkQuotas(ledger: Ledger, { id, projectId, quota, projectQuota }: KnownKey) {
  const wait = quota === undefined ? undefined : ledger.waitFor(`key ${id}`, quota)

  if (wait) throw tooMany(`This client key may send ${quota} events a minute.`, wait, 'key:quota')
  const projectWait = projectQuota === undefined ? undefined : ledger.waitFor(`project ${projectId}`, projectQuota)

  if (projectWait) throw tooMany(`This project may send ${projectQuota} events a minute.`, projectWait, 'project:quota')
}

/** Only what has a quota is counted. */
export function use(ledger: Ledger, { id, projectId, quota, projectQuota }: KnownKey) {
  if (quota !== undefined) ledger.use(`key ${id}`, 1)
  if (projectQuota !== undefined) ledger.use(`project ${projectId}`, 1)
}
