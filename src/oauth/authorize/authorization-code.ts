import { defineEntity, p } from '@mikro-orm/core'
import { User } from '#identity/users/user.ts'
import { Application } from '../applications/application.ts'
import { Grant } from '../grants/grant.ts'

export const AuthorizationCodeSchema = defineEntity({
  name: 'AuthorizationCode',
  tableName: 'oauth_codes',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    codeHash: p.blob(),
    application: () => p.manyToOne(Application),
    user: () => p.manyToOne(User),
    /** What the code gave; null until it is exchanged. */
    grant: () => p.manyToOne(Grant).nullable(),
    redirectUri: p.text(),
    scopes: p.array<string>().columnType('text[]'),
    /** PKCE with S256 (RFC 7636). */
    codeChallenge: p.text().nullable(),
    /** For the ID token (OpenID Connect Core §2). */
    nonce: p.text().nullable(),
    /** When the user signed in. */
    authTime: p.datetime(3),
    createdAt: p.datetime(3).onCreate(() => new Date()),
    expiresAt: p.datetime(3),
    usedAt: p.datetime(3).nullable()
  }
})

/** A user's approval on its way to the application: valid for ten minutes, exchanged once (RFC 6749 §4.1.2). */
export class AuthorizationCode extends AuthorizationCodeSchema.class {}

AuthorizationCodeSchema.setClass(AuthorizationCode)

/** RFC 6749 §4.1.2: a code should live ten minutes at most. */
export const codeSeconds = 600
