import type { EntityManager } from '../platform/database/database.ts'
import type { ItemOf } from '../platform/queue/job.ts'
import { lockCounters } from '../projects/counters.ts'
import type { receiveAlerts } from './jobs.ts'
import { parsePayload } from './parse/parse-payload.ts'
import type { ParsedPayload } from './parse/report.ts'
import { AlertAggregator, type AlertChange, type Receipt } from './store/aggregate-alerts.ts'
import { findReceipts, storeReceipts } from './store/alert-answers.ts'
import { findOpenAlerts, findParseSettings, type ParseSettings, storeAlerts } from './store/alert-store.ts'

type Request = ItemOf<typeof receiveAlerts>

/** Something that became of an alert, for those who want to hear of it. */
export type ProjectAlertChange = AlertChange & { projectId: number; requestId: string }

/**
 * Folds a batch of requests into their projects' alerts. The same request again changes nothing, and is answered the same;
 * `sendReceipt` is given the answers within the transaction. Tells the news, which are the same every time, too.
 */
export async function receiveBatch(
  em: EntityManager,
  requests: Request[],
  sendReceipt: (em: EntityManager, answers: Receipt[]) => Promise<void>
): Promise<ProjectAlertChange[]> {
  return em.transactional(async em => {
    const projects = await lockCounters(
      em,
      'alerts',
      requests.map(({ projectId }) => projectId)
    )
    const answers = await findReceipts(em, requests)
    const fresh = uniqueById(requests).filter(({ id, projectId }) => !answers.has(id) && projects.has(projectId))
    const answered = fresh.length > 0 ? await work(em, fresh, projects) : []

    for (const [id, answer] of answered) answers.set(id, answer)
    // A project that is gone has no alerts.
    const all = requests.map(({ id }) => answers.get(id) ?? { alerts: [] })

    await sendReceipt(em, all.map(withoutNews))

    return requests.flatMap(({ id, projectId }, n) => (all[n]!.changes ?? []).map(news => ({ ...news, projectId, requestId: id })))
  })
}

/** In the order in which they came. */
async function work(em: EntityManager, requests: Request[], projects: Map<number, number>) {
  const circumstances = await findParseSettings(em, requests)
  const readings = requests.map(request => read(request, circumstances))
  const open = await findOpenAlerts(em, requests, readings)
  const folds = new Map<number, AlertAggregator>()
  const answers: [string, Receipt][] = []

  for (const [n, { id, projectId, integrationId, receivedAt }] of requests.entries()) {
    const fold = folds.get(projectId) ?? new AlertAggregator(open.get(projectId) ?? new Map(), projects.get(projectId)!)
    const { reports, skipped } = readings[n]!
    const answer = fold.apply(reports, integrationId, new Date(receivedAt))

    folds.set(projectId, fold)
    answers.push([id, skipped.length > 0 ? { ...answer, skipped } : answer])
  }
  await storeAlerts(em, folds)
  await storeReceipts(em, answers)

  return answers
}

function read({ integrationId, receivedAt, body }: Request, circumstances: Map<number, ParseSettings>): ParsedPayload {
  const { mapping = {}, isFingerprinting = true } = circumstances.get(integrationId) ?? {}

  return parsePayload(body, { receivedAt: new Date(receivedAt), mapping, isFingerprinting })
}

function uniqueById(requests: Request[]) {
  return [...new Map(requests.toReversed().map(request => [request.id, request])).values()].reverse()
}

function withoutNews({ changes: news, ...answer }: Receipt): Receipt {
  return answer
}
