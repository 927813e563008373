import { defineEntity, p } from '@mikro-orm/core'
import { User } from '#identity/users/user.ts'
import { updatedAt } from '#platform/database/updated-at.ts'

export const spamKinds = ['issue', 'note', 'snippet', 'project'] as const
export type SpamKind = (typeof spamKinds)[number]

export const SpamLogSchema = defineEntity({
  name: 'SpamLog',
  tableName: 'spam_logs',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    user: () => p.manyToOne(User),
    kind: p.text().$type<SpamKind>(),
    title: p.text(),
    text: p.text(),
    /** Why it was recognized as spam. */
    reason: p.text(),
    ipAddress: p.text(),
    userAgent: p.text(),
    viaApi: p.boolean(),
    /** When the author solved a CAPTCHA for it: once. */
    usedAt: p.datetime(3).nullable(),
    markedAsHamAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3).onCreate(() => new Date()),
    updatedAt: updatedAt()
  }
})

/** A text that was recognized as spam, and not stored elsewhere. */
export class SpamLog extends SpamLogSchema.class {}

SpamLogSchema.setClass(SpamLog)
