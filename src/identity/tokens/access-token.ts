import { defineEntity, type FilterQuery, p } from '@mikro-orm/core'
import { updatedAt } from '#platform/database/updated-at.ts'
import { User } from '../users/user.ts'

export type TokenKind = 'personal' | 'project' | 'group' | 'impersonation'

export const AccessTokenSchema = defineEntity({
  name: 'AccessToken',
  tableName: 'access_tokens',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    user: () => p.manyToOne(User),
    kind: p.text().$type<TokenKind>().default('personal'),
    projectId: p.bigint('number').nullable(),
    groupId: p.bigint('number').nullable(),
    /** The first token of a chain of rotations; null for that token itself. */
    familyId: p.bigint('number').nullable(),
    name: p.text(),
    description: p.text().nullable(),
    tokenHash: p.blob(),
    scopes: p.array<string>().columnType('text[]'),
    createdAt: p.datetime(3).onCreate(() => new Date()),
    updatedAt: updatedAt(),
    expiresAt: p.datetime(3).nullable(),
    revokedAt: p.datetime(3).nullable(),
    lastUsedAt: p.datetime(3).nullable()
  }
})

/** Authenticates a client as a user, or as the bot of a project or group. */
export class AccessToken extends AccessTokenSchema.class {
  isExpired(at: Date) {
    return Boolean(this.expiresAt && this.expiresAt <= at)
  }

  isActive(at: Date) {
    return !this.revokedAt && !this.isExpired(at)
  }

  /** False when it was revoked already. */
  revoke(at: Date) {
    if (this.revokedAt) return false
    this.revokedAt = at

    return true
  }

  /** What a rotation passes on to the new token. */
  inheritable() {
    const { id, user, kind, projectId, groupId, familyId, name, description, scopes } = this

    return { user: user.id, kind, projectId, groupId, familyId: familyId ?? id, name, description, scopes }
  }
}

/** The query for {@link AccessToken.isActive}. */
export function activeTokens(at: Date): FilterQuery<AccessToken> & object {
  return { revokedAt: null, $or: [{ expiresAt: null }, { expiresAt: { $gt: at } }] }
}

AccessTokenSchema.setClass(AccessToken)
