import { defineEntity, p } from '@mikro-orm/core'
import type { EntityManager } from '#platform/database/database.ts'
import { hashSecret, newSecret } from '../secrets.ts'
import { User } from '../users/user.ts'

export const KnownDeviceSchema = defineEntity({
  name: 'KnownDevice',
  tableName: 'known_devices',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    user: () => p.manyToOne(User),
    tokenHash: p.blob(),
    failedSignIns: p.smallint().default(0),
    lockedUntil: p.datetime(3).nullable(),
    seenAt: p.datetime(3).onCreate(() => new Date())
  }
})

/** A browser that a user signed in with. Its cookie holds a secret; the database stores only its hash. */
export class KnownDevice extends KnownDeviceSchema.class {}

KnownDeviceSchema.setClass(KnownDevice)

/** How long the cookie and the row are valid; each sign-in renews them. */
export const deviceSeconds = 365 * 24 * 3600

export function findKnownDevice(em: EntityManager, user: User, secret: string | undefined) {
  return secret ? em.findOne(KnownDevice, { user: user.id, tokenHash: hashSecret(secret) }, { refresh: true }) : null
}

/** Returns the secret for the browser's cookie: the same for a known browser. */
export function rememberDevice(em: EntityManager, user: User, known: KnownDevice | null, secret: string | undefined, at: Date) {
  if (known && secret) {
    known.seenAt = at
    return secret
  }
  const created = newSecret()

  em.create(KnownDevice, { user: user.id, tokenHash: hashSecret(created), seenAt: at })

  return created
}

export function deleteStaleDevices(em: EntityManager, at: Date) {
  return em.nativeDelete(KnownDevice, { seenAt: { $lt: new Date(at.getTime() - deviceSeconds * 1000) } })
}
