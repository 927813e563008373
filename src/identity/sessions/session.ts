import { defineEntity, p } from '@mikro-orm/core'
import { User } from '../users/user.ts'

const SessionSchema = defineEntity({
  name: 'Session',
  tableName: 'sessions',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    user: () => p.manyToOne(User),
    tokenHash: p.blob(),
    ip: p.text().nullable(),
    userAgent: p.text().nullable(),
    /** The password was right, the second factor is still to come. */
    awaitsCode: p.boolean().default(false),
    seenAt: p.datetime(3).onCreate(() => new Date()),
    createdAt: p.datetime(3).onCreate(() => new Date()),
    expiresAt: p.datetime(3)
  }
})

/** A browser that somebody signed in with. Its cookie holds a secret of which only the hash is kept. */
export class Session extends SessionSchema.class {}

SessionSchema.setClass(Session)
