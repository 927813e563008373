import { defineEntity, p } from '@mikro-orm/core'
import { User } from '../users/user.ts'

export type TokenKind = 'personal' | 'project' | 'group' | 'impersonation'

const AccessTokenSchema = defineEntity({
  name: 'AccessToken',
  tableName: 'access_tokens',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    user: () => p.manyToOne(User),
    kind: p.text().$type<TokenKind>().default('personal'),
    projectId: p.bigint('number').nullable(),
    groupId: p.bigint('number').nullable(),
    /** The first of those that took each other's place: when one is used after that, all of them are revoked. */
    familyId: p.bigint('number').nullable(),
    name: p.text(),
    description: p.text().nullable(),
    tokenHash: p.blob(),
    scopes: p.array<string>().columnType('text[]'),
    createdAt: p.datetime(3).onCreate(() => new Date()),
    expiresAt: p.datetime(3).nullable(),
    revokedAt: p.datetime(3).nullable(),
    lastUsedAt: p.datetime(3).nullable()
  }
})

/** What a program acts with: as a person, or as the bot of a project or group. The secret is shown once; only its hash is kept. */
export class AccessToken extends AccessTokenSchema.class {
  isExpired(at: Date) {
    return Boolean(this.expiresAt && this.expiresAt <= at)
  }

  isActive(at: Date) {
    return !this.revokedAt && !this.isExpired(at)
  }

  /** True when that changed something. */
  revoke(at: Date) {
    if (this.revokedAt) return false
    this.revokedAt = at

    return true
  }
}

AccessTokenSchema.setClass(AccessToken)
