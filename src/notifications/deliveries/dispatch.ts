import type { OutboxEntry } from '#outbox/outbox-entry.ts'
import { takeFromOutbox } from '#outbox/outbox-store.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { optOutSubject } from '../mail/unsubscribe.ts'
import { loadSubjects } from '../messages/load-subjects.ts'
import { isUrgent } from '../messages/urgency.ts'
import { findMutes } from '../mutes/match-mutes.ts'
import { findMembersToNotify } from '../recipients/find-members-to-notify.ts'
import { matchRules } from '../rules/match-rules.ts'
import { type Addressee, getsMail } from './addressee.ts'
import {
  type DueDelivery,
  insertDeliveries,
  insertDeliveryEntries,
  lockOpenDeliveries,
  lockWindows,
  type NewDelivery,
  storeWindows,
  windowKey
} from './delivery-store.ts'
import { withoutOptOuts } from './opt-out-store.ts'
import { planDeliveries } from './plan-deliveries.ts'

const batchSize = 500

interface DispatchOptions {
  baseUrl: string
  /** Without a mail server, there is no e-mail to deliver. */
  hasMail: boolean
}

/**
 * Turns a batch of the outbox into deliveries: who is notified, over which channel, and when. One transaction: an entry is
 * dispatched exactly once. Returns the deliveries to enqueue, and whether there may be more entries.
 */
export function dispatchBatch(em: EntityManager, options: DispatchOptions, at: Date) {
  return em.fork().transactional(async em => {
    const entries = await takeFromOutbox(em, 'notifications', batchSize)
    const addressees = entries.length > 0 ? await findAddressees(em, entries, options, at) : []

    return { deliveries: await storeDeliveries(em, addressees, at), hasMore: entries.length === batchSize }
  })
}

async function findAddressees(em: EntityManager, entries: OutboxEntry[], { baseUrl, hasMail }: DispatchOptions, at: Date) {
  const subjects = await loadSubjects(em, entries, baseUrl)
  const occurrences = entries.flatMap(entry => {
    const subject = subjects.of(entry)

    return subject ? [{ entry, subject }] : []
  })
  const found = [...(await matchRules(em, occurrences)), ...(await findMembersToNotify(em, occurrences))]
  const muteOf = await findMutes(em, occurrences, at)
  const byId = new Map(occurrences.map(occurrence => [occurrence.entry.id, occurrence]))
  const reachable = hasMail ? found : found.filter(({ target }) => !getsMail(target))
  const willing = await withoutOptOuts(em, reachable, addressee => optOutSubject(byId.get(addressee.outboxId)!, addressee))

  return uniqueAddressees(willing).map((addressee): Addressee => {
    const occurrence = byId.get(addressee.outboxId)!
    const isAlone = addressee.isAlone || isUrgent(occurrence)

    return { ...addressee, severity: occurrence.subject.severity, isAlone, muteId: muteOf(addressee.outboxId) }
  })
}

/** Several rules may name the same recipient. The first wins. */
function uniqueAddressees(addressees: Addressee[]) {
  return [...new Map(addressees.toReversed().map(addressee => [`${addressee.outboxId} ${addressee.target}`, addressee])).values()].reverse()
}

async function storeDeliveries(em: EntityManager, addressees: Addressee[], at: Date): Promise<DueDelivery[]> {
  const held = addressees.filter(({ muteId }) => muteId !== undefined)
  const due = addressees.filter(({ muteId }) => muteId === undefined)
  const byKey = Map.groupBy(due, windowKey)
  const keys = [...byKey.values()].map(([first]) => first!).sort((a, b) => (windowKey(a) < windowKey(b) ? -1 : 1))

  if (addressees.length === 0) return []
  const windows = await lockWindows(em, keys)
  const open = await lockOpenDeliveries(em, keys, at)
  const plans = [...byKey].map(([key, group]) => ({ ...planDeliveries(group, windows.get(key)!, at, open.get(key)), open: open.get(key) }))

  await storeWindows(
    em,
    keys.map(key => ({ ...key, ...windows.get(windowKey(key))! }))
  )
  const created = await create(em, [
    ...plans.flatMap(({ planned }) => planned).map((delivery): NewDelivery => ({ ...delivery, status: 'pending' })),
    ...heldDeliveries(held, at)
  ])

  await insertDeliveryEntries(em, [
    ...plans.flatMap(({ appended, open }) => appended.map(addressee => ({ deliveryId: open!.id, addressee }))),
    ...created.flatMap(({ id, addressees }) => addressees.map(addressee => ({ deliveryId: id, addressee })))
  ])

  return created
    .filter(({ status }) => status === 'pending')
    .map(({ id, addressees, sendAt }) => ({ id, projectId: addressees[0]!.projectId, attempts: 0, sendAt }))
}

async function create(em: EntityManager, deliveries: NewDelivery[]) {
  const ids = await insertDeliveries(em, deliveries)

  return deliveries.map((delivery, n) => ({ ...delivery, id: ids[n]! }))
}

/** One for each target and mute of the batch, without those that are alone. */
function heldDeliveries(held: Addressee[], at: Date): NewDelivery[] {
  const groups = Map.groupBy(
    held,
    addressee => `${windowKey(addressee)} ${addressee.muteId} ${addressee.isAlone ? addressee.outboxId : ''}`
  )

  return [...groups.values()].map(addressees => ({ addressees, sendAt: at, isLimited: false, status: 'held' }))
}
