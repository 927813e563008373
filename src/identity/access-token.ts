import { defineEntity, p } from '@mikro-orm/core'
import { User } from './user.ts'

const AccessTokenSchema = defineEntity({
  name: 'AccessToken',
  tableName: 'access_tokens',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    user: () => p.manyToOne(User),
    name: p.text(),
    tokenHash: p.blob(),
    scopes: p.array<string>().columnType('text[]'),
    createdAt: p.datetime(3).onCreate(() => new Date()),
    expiresAt: p.datetime(3).nullable(),
    revokedAt: p.datetime(3).nullable(),
    lastUsedAt: p.datetime(3).nullable()
  }
})

/** A personal access token. The secret is shown once; only its hash is kept. */
export class AccessToken extends AccessTokenSchema.class {}

AccessTokenSchema.setClass(AccessToken)
