import { defineEntity, p } from '@mikro-orm/core'
import { updatedAt } from '../../platform/database/updated-at.ts'

const ExternalIdentitySchema = defineEntity({
  name: 'ExternalIdentity',
  tableName: 'user_identities',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    userId: p.bigint('number'),
    provider: p.text(),
    externUid: p.text(),
    createdAt: p.datetime(3).onCreate(() => new Date()),
    updatedAt: updatedAt()
  }
})

/** The account of a user at an identity provider, recorded by admins. */
export class ExternalIdentity extends ExternalIdentitySchema.class {
  present() {
    return { provider: this.provider, extern_uid: this.externUid }
  }
}

ExternalIdentitySchema.setClass(ExternalIdentity)
