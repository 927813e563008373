import { defineEntity, p } from '@mikro-orm/core'
import { Grant } from '../grants/grant.ts'

export const OAuthTokenSchema = defineEntity({
  name: 'OAuthToken',
  tableName: 'oauth_tokens',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    grant: () => p.manyToOne(Grant),
    accessHash: p.blob(),
    refreshHash: p.blob().nullable(),
    scopes: p.array<string>().columnType('text[]'),
    createdAt: p.datetime(3).onCreate(() => new Date()),
    /** Expiry of the access token; refresh tokens do not expire. */
    expiresAt: p.datetime(3),
    refreshUsedAt: p.datetime(3).nullable(),
    /** The one repetition that REFRESH_REUSE_SECONDS allows. */
    refreshReusedAt: p.datetime(3).nullable()
  }
})

/** An access token and its refresh token. It is valid only while its grant is, too. */
export class OAuthToken extends OAuthTokenSchema.class {
  /** Both tokens were revoked, or replaced by others. The grant is loaded. */
  isEnded() {
    return Boolean(this.grant.revokedAt || this.refreshUsedAt)
  }

  /** Why the access token is not valid. */
  problem(at: Date) {
    if (this.isEnded()) return 'revoked'

    return this.expiresAt <= at ? 'expired' : undefined
  }
}

OAuthTokenSchema.setClass(OAuthToken)

export const accessTokenSeconds = 7200
