import { defineEntity, p } from '@mikro-orm/core'
import { User } from '../users/user.ts'

export const SessionSchema = defineEntity({
  name: 'Session',
  tableName: 'sessions',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    user: () => p.manyToOne(User),
    /** The user as whom this admin acts at present. */
    impersonated: () => p.manyToOne(User).nullable(),
    tokenHash: p.blob(),
    ip: p.text().nullable(),
    userAgent: p.text().nullable(),
    /** The password was right; the second factor is still missing. */
    awaitsCode: p.boolean().default(false),
    seenAt: p.datetime(3).onCreate(() => new Date()),
    createdAt: p.datetime(3).onCreate(() => new Date()),
    expiresAt: p.datetime(3)
  }
})

/** A signed-in browser. The cookie holds a secret; the database stores only its hash. */
export class Session extends SessionSchema.class {}

SessionSchema.setClass(Session)
