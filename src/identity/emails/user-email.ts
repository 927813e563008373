import { defineEntity, p } from '@mikro-orm/core'

export const UserEmailSchema = defineEntity({
  name: 'UserEmail',
  tableName: 'user_emails',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    userId: p.bigint('number'),
    email: p.text(),
    confirmedAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3).onCreate(() => new Date())
  }
})

/** An address of a user besides the primary one, which is an attribute of the user. */
export class UserEmail extends UserEmailSchema.class {
  present() {
    return { id: this.id, email: this.email, confirmed_at: this.confirmedAt?.toISOString() ?? null }
  }
}

UserEmailSchema.setClass(UserEmail)
