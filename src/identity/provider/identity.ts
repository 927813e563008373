import { defineEntity, p } from '@mikro-orm/core'
import { User } from '../users/user.ts'

export const IdentitySchema = defineEntity({
  name: 'Identity',
  tableName: 'identities',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    user: () => p.manyToOne(User),
    issuer: p.text(),
    subject: p.text(),
    /** As the provider said last; empty if it did not. */
    email: p.text(),
    /** The last sign-in with it. */
    seenAt: p.datetime(3),
    createdAt: p.datetime(3).onCreate(() => new Date())
  }
})

/** A person at an OpenID Connect provider, who signs in as the user. Only issuer and subject say who it is: addresses change hands. */
export class Identity extends IdentitySchema.class {}

IdentitySchema.setClass(Identity)
