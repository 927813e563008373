import { defineEntity, p } from '@mikro-orm/core'
import { User } from '#identity/users/user.ts'
import { updatedAt } from '#platform/database/updated-at.ts'
import { Application } from '../applications/application.ts'

export const ConsentSchema = defineEntity({
  name: 'Consent',
  tableName: 'oauth_consents',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    user: () => p.manyToOne(User),
    application: () => p.manyToOne(Application),
    scopes: p.array<string>().columnType('text[]'),
    createdAt: p.datetime(3).onCreate(() => new Date()),
    updatedAt: updatedAt()
  }
})

/** The scopes that a user granted an application: asked for once. */
export class Consent extends ConsentSchema.class {}

ConsentSchema.setClass(Consent)
