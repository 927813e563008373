import { hash } from 'node:crypto'
import type { Logger } from 'pino'
import { Namespace } from '#namespaces/namespace.ts'
import type { WebhookEvent } from '#outbox/outbox-entry.ts'
import { postponeEntry, takeFromOutbox } from '#outbox/outbox-store.ts'
import type { EntityManager } from '#platform/database/database.ts'
import type { Extra } from '#platform/extra.ts'
import type { Git } from '#platform/git/git.ts'
import { isSerializationFailure, isUnavailable } from '#platform/problems.ts'
import { Project } from '#projects/project.ts'
import { matchesBranch } from './branch-filter.ts'
import { type AddedDelivery, insertWebhookDeliveries } from './deliveries/webhook-delivery-store.ts'
import type { Notice } from './events.ts'
import { auditNotices } from './payloads/audit-payload.ts'
import { issueNotices } from './payloads/issue-payload.ts'
import { noteNotices } from './payloads/note-payload.ts'
import { pushNotices } from './payloads/push-payload.ts'
import type { Context } from './payloads/users-and-projects.ts'
import { Webhook } from './webhook.ts'

const batchSize = 50

interface Deps {
  baseUrl: string
  git: Git
  log: Logger
  extras: Extra[]
  /** Limit per webhook. */
  maxWaiting: number
}

type MakeNotices = (context: Context & Deps, event: WebhookEvent) => Promise<Notice[]>

declare module '#platform/extra.ts' {
  interface Extra {
    /** Builds the payloads of its events, by kind. */
    webhookNotices?: Record<string, MakeNotices>
  }
}

const ofCore: Record<string, MakeNotices> = { issue: issueNotices, note: noteNotices, push: pushNotices, audit: auditNotices }

/** Turns events into deliveries, in one transaction: an event is dispatched exactly once. As `dispatchBatch` of notifications. */
export function dispatchWebhookEvents(em: EntityManager, deps: Deps, at: Date) {
  return em.fork().transactional(async em => {
    const events = await takeFromOutbox(em, 'webhooks', batchSize)
    const added: AddedDelivery[] = []

    for (const event of events) added.push(...(await dispatchOrPostpone(em, deps, event, at)))
    const refused = added.filter(({ status }) => status === 'failed')

    if (refused.length > 0) deps.log.warn({ webhooks: idsOf(refused) }, `refused ${refused.length} requests to webhooks`)

    return { webhookIds: idsOf(added), hasMore: events.length === batchSize }
  })
}

function idsOf(added: AddedDelivery[]) {
  return [...new Set(added.map(({ webhookId }) => webhookId))]
}

/** An event that fails must not hold up the others. It is tried again later, up to ten times. */
async function dispatchOrPostpone(em: EntityManager, deps: Deps, event: WebhookEvent, at: Date) {
  try {
    // With a savepoint: a statement that fails would abort the transaction of all.
    return await em.transactional(em => dispatch(em, deps, event, at))
  } catch (error) {
    if (isUnavailable(error) || isSerializationFailure(error)) throw error
    deps.log.error({ err: error, webhookEvent: event.id }, 'a webhook event could not be dispatched')
    await postponeEntry(em, event.id, String(error))

    return []
  }
}

async function dispatch(em: EntityManager, deps: Deps, event: WebhookEvent, at: Date) {
  const webhooks = await findWebhooks(em, event)
  const notices: Notice[] = webhooks.length > 0 ? await noticesOf(deps.extras, event.kind)({ em, ...deps }, event) : []

  return insertWebhookDeliveries(
    em,
    notices.flatMap(notice => requestsOf(webhooks, notice, event, at)),
    deps.maxWaiting
  )
}

/** An extra that is off has no payloads for its events. */
function noticesOf(extras: Extra[], kind: string): MakeNotices {
  const [notices] = extras.flatMap(({ webhookNotices }) => webhookNotices?.[kind] ?? [])

  return ofCore[kind] ?? notices ?? (async () => [])
}

function requestsOf(webhooks: Webhook[], notice: Notice, event: WebhookEvent, at: Date) {
  return webhooks
    .filter(webhook => wants(webhook, notice))
    .map(({ id, disabledUntil }) => ({
      webhookId: id,
      eventId: event.id,
      eventUuid: event.uuid,
      eventName: notice.name,
      trigger: triggerOf(notice),
      payload: JSON.stringify(notice.payload),
      sendAt: disabledUntil && disabledUntil > at ? disabledUntil : at
    }))
}

const maxRef = 255

/** GitLab's name in the list of deliveries. A push has one for each reference; names too long for an index are hashed. */
export function triggerOf({ flag, payload }: Pick<Notice, 'flag' | 'payload'>) {
  const name = flag ? flag.replace('_events', '_hooks') : 'system_hooks'

  if (typeof payload.ref !== 'string') return name

  return `${name} ${payload.ref.length > maxRef ? hash('sha256', payload.ref) : payload.ref}`
}

/** The webhooks that may receive an event: those of the project, of the groups above it, and system hooks. */
async function findWebhooks(em: EntityManager, { projectId, groupId }: WebhookEvent) {
  const project = projectId ? await em.findOne(Project, { id: projectId }, { populate: ['namespace'] }) : null
  const group = project ? (project.namespace as Namespace) : groupId ? await em.findOne(Namespace, { id: groupId }) : null
  const system = { projectId: null, groupId: null }

  return em.find(Webhook, {
    $or: [system, ...(project ? [{ projectId: project.id }] : []), ...(group ? [{ groupId: { $in: group.lineage } }] : [])]
  })
}

/** Whether a webhook is sent a request. One that failed too often is sent nothing. */
function wants(webhook: Webhook, { flag, audience, branch }: Notice) {
  const isSystem = !webhook.projectId && !webhook.groupId

  if (webhook.isDisabled() || (audience !== 'all' && (audience === 'system') !== isSystem)) return false
  if (flag !== undefined && !webhook.events[flag]) return false

  return branch === undefined || matchesBranch(webhook, branch)
}
