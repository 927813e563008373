import { User } from '#identity/users/user.ts'
import type { OutboxKind } from '#outbox/outbox-entry.ts'
import type { EntityManager, Tables } from '#platform/database/database.ts'
import { entityList, type List, mapRows } from '#platform/database/list.ts'
import { NotificationChannel } from '../channels/notification-channel.ts'
import { loadSubjects } from '../messages/load-subjects.ts'
import type { Subject } from '../messages/subject.ts'
import { lineOf } from '../messages/wording.ts'
import { Delivery, type DeliveryStatus } from './delivery.ts'
import { findFirstEntries } from './entry-store.ts'

export interface DeliveryFilter {
  projectId?: number
  /** Only e-mail. */
  isMail?: boolean
  status?: DeliveryStatus
  channelId?: number
  muteId?: number
  since?: Date
}

/** A delivery as lists show it. */
export interface ListedDelivery {
  delivery: Delivery
  /** The name of a channel, a username with `@`, or an address. */
  recipient: string
  /** Over which channel it is sent; undefined for personal settings and deleted channels. */
  channel?: NotificationChannel
  /** The most severe of what happened, as messages write it; undefined when it was deleted, as are the next two. */
  line?: string
  kind?: OutboxKind
  subject?: Subject
  total: number
}

/** The newest deliveries first, of a project or of all. */
export function listDeliveries(em: EntityManager, filter: DeliveryFilter, baseUrl: string): List<ListedDelivery> {
  const { projectId, isMail, status, channelId, muteId, since } = filter
  const where = {
    ...(projectId && { projectId }),
    ...(isMail && { $or: [{ userId: { $ne: null } }, { address: { $ne: null } }] }),
    ...(status && { status }),
    ...(channelId && { channelId }),
    ...(muteId && { muteId }),
    ...(since && { createdAt: { $gte: since } })
  }

  const deliveries = entityList(em, Delivery, where)
  const describe = (rows: Delivery[]) => describeDeliveries(em, rows, baseUrl)

  return {
    ...mapRows(deliveries, describe),
    kinds: deliveries.kinds,
    positionOf: ({ delivery }) => deliveries.positionOf(delivery),
    read: async slice => describe(await deliveries.read(slice))
  }
}

/** What deliveries are about, and to whom they go. */
export async function describeDeliveries(em: EntityManager, deliveries: Delivery[], baseUrl: string): Promise<ListedDelivery[]> {
  const recipients = await findRecipients(em, deliveries)
  const firsts = await findFirstEntries(
    em,
    deliveries.map(({ id }) => id)
  )
  const subjects = await loadSubjects(
    em,
    [...firsts.values()].map(({ entry }) => entry),
    baseUrl
  )

  return deliveries.map(delivery => {
    const { entry, total = 0 } = firsts.get(delivery.id) ?? {}
    const subject = entry && subjects.of(entry)

    return { delivery, ...recipients.of(delivery), total, ...(subject && { line: lineOf({ entry, subject }), kind: entry.kind, subject }) }
  })
}

async function findRecipients(em: EntityManager, deliveries: Delivery[]) {
  const channels = await em.find(NotificationChannel, { id: { $in: deliveries.flatMap(({ channelId }) => channelId ?? []) } })
  const users = await em.find(User, { id: { $in: deliveries.flatMap(({ userId }) => userId ?? []) } })

  return {
    of({ channelId, userId, address }: Delivery) {
      const channel = channels.find(({ id }) => id === channelId)
      const user = users.find(({ id }) => id === userId)

      return { channel, recipient: address ?? (user ? `@${user.username}` : (channel?.name ?? 'a deleted channel')) }
    }
  }
}

/** How many e-mails of the last 30 days are in each state. */
export async function countMail(em: EntityManager) {
  const rows = await em
    .getKysely<Tables>()
    .selectFrom('notification_deliveries')
    .where(one => one.or([one('user_id', 'is not', null), one('address', 'is not', null)]))
    .groupBy('status')
    .select(['status', one => one.fn.countAll<number>().as('count')])
    .execute()

  return new Map(rows.map(({ status, count }) => [status, count]))
}
