import { defineEntity, p } from '@mikro-orm/core'

const UserSchema = defineEntity({
  name: 'User',
  tableName: 'users',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    username: p.text(),
    name: p.text(),
    email: p.text(),
    state: p.text().$type<'active' | 'blocked'>().default('active'),
    isAdmin: p.boolean().default(false),
    passwordHash: p.text().nullable(),
    mustChangePassword: p.boolean().default(false),
    createdAt: p.datetime(3).onCreate(() => new Date())
  }
})

export class User extends UserSchema.class {
  isActive() {
    return this.state === 'active'
  }

  /** Takes the password's hash; a one-time password has to be replaced at the next sign-in. */
  setPassword(hash: string, { isOneTime = false } = {}) {
    this.passwordHash = hash
    this.mustChangePassword = isOneTime
  }
}

UserSchema.setClass(User)
