import { defineEntity, p } from '@mikro-orm/core'
import { User } from '#identity/users/user.ts'
import { Application } from '../applications/application.ts'

export type GrantType = 'authorization_code' | 'password' | 'client_credentials'

export const GrantSchema = defineEntity({
  name: 'Grant',
  tableName: 'oauth_grants',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    /** Null for a password grant without client credentials. */
    application: () => p.manyToOne(Application).nullable(),
    /** Null for client credentials: the application acts for itself. */
    user: () => p.manyToOne(User).nullable(),
    type: p.text().$type<GrantType>(),
    scopes: p.array<string>().columnType('text[]'),
    redirectUri: p.text().nullable(),
    /** When the user signed in. */
    authTime: p.datetime(3).nullable(),
    createdAt: p.datetime(3).onCreate(() => new Date()),
    revokedAt: p.datetime(3).nullable()
  }
})

/** What an application may do for a user: the family of all tokens that descend from one authorization. */
export class Grant extends GrantSchema.class {
  /** Ends every token of the family. False when it was revoked already. */
  revoke(at: Date) {
    if (this.revokedAt) return false
    this.revokedAt = at

    return true
  }
}

GrantSchema.setClass(Grant)
