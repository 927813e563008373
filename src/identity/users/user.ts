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
    /** A bot stands behind a project's or group's token. */
    kind: p.text().$type<'human' | 'project_bot' | 'group_bot'>().default('human'),
    publicEmail: p.text().default(''),
    bio: p.text().default(''),
    location: p.text().default(''),
    organization: p.text().default(''),
    jobTitle: p.text().default(''),
    websiteUrl: p.text().default(''),
    /** For admins' eyes. */
    note: p.text().nullable(),
    isPrivateProfile: p.boolean().default(false),
    isExternal: p.boolean().default(false),
    canCreateGroup: p.boolean().default(true),
    failedSignIns: p.smallint().default(0),
    lockedUntil: p.datetime(3).nullable(),
    totpSecret: p.blob().nullable(),
    totpEnabledAt: p.datetime(3).nullable(),
    /** The last time step a code was taken for: none is good twice. */
    totpLastStep: p.bigint('number').nullable(),
    currentSignInAt: p.datetime(3).nullable(),
    lastSignInAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3).onCreate(() => new Date()),
    updatedAt: p
      .datetime(3)
      .onCreate(() => new Date())
      .onUpdate(() => new Date())
  }
})

export class User extends UserSchema.class {
  isActive() {
    return this.state === 'active'
  }

  isBot() {
    return this.kind !== 'human'
  }

  /** True when that changed something. */
  block() {
    return this.become('blocked')
  }

  unblock() {
    return this.become('active')
  }

  /** Takes the password's hash; a one-time password has to be replaced at the next sign-in. */
  setPassword(hash: string, { isOneTime = false } = {}) {
    this.passwordHash = hash
    this.mustChangePassword = isOneTime
  }

  private become(state: 'active' | 'blocked') {
    const isNews = this.state !== state

    this.state = state

    return isNews
  }
}

UserSchema.setClass(User)
