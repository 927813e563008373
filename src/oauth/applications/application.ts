import { defineEntity, p } from '@mikro-orm/core'
import { User } from '#identity/users/user.ts'
import { updatedAt } from '#platform/database/updated-at.ts'

export const ApplicationSchema = defineEntity({
  name: 'Application',
  tableName: 'oauth_applications',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    /** The `client_id`: public, 64 hexadecimal digits. */
    uid: p.text(),
    /** Null for public clients, which cannot keep a secret. */
    secretHash: p.blob().nullable(),
    name: p.text(),
    redirectUris: p.array<string>().columnType('text[]'),
    /** What users can grant it. */
    scopes: p.array<string>().columnType('text[]'),
    isConfidential: p.boolean(),
    /** It registered itself (RFC 7591). */
    isDynamic: p.boolean().default(false),
    owner: () => p.manyToOne(User).nullable(),
    createdAt: p.datetime(3).onCreate(() => new Date()),
    updatedAt: updatedAt()
  }
})

/** A client of the OAuth provider (RFC 6749 §2). */
export class Application extends ApplicationSchema.class {
  /** An admin registered it for the whole instance: users are not asked for consent. */
  isTrusted() {
    return !this.owner && !this.isDynamic
  }
}

ApplicationSchema.setClass(Application)
