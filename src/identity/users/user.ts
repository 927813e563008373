import { defineEntity, p } from '@mikro-orm/core'
import { updatedAt } from '#platform/database/updated-at.ts'
import { isLocked } from './lock.ts'

/** Signing in makes a deactivated user active. Who has signed up may have to be approved first; the name is GitLab's. */
export type UserState = 'active' | 'blocked' | 'banned' | 'deactivated' | 'blocked_pending_approval'

export const UserSchema = defineEntity({
  name: 'User',
  tableName: 'users',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    username: p.text(),
    name: p.text(),
    email: p.text(),
    /** When the address was confirmed; null until then. */
    confirmedAt: p.datetime(3).nullable().defaultRaw('now()'),
    state: p.text().$type<UserState>().default('active'),
    isAdmin: p.boolean().default(false),
    passwordHash: p.text().nullable(),
    mustChangePassword: p.boolean().default(false),
    /** A bot is the user behind a project or group access token; the ghost stands for deleted authors. */
    kind: p.text().$type<'human' | 'project_bot' | 'group_bot' | 'ghost'>().default('human'),
    publicEmail: p.text().default(''),
    bio: p.text().default(''),
    location: p.text().default(''),
    organization: p.text().default(''),
    jobTitle: p.text().default(''),
    websiteUrl: p.text().default(''),
    /** The name of the file. */
    avatar: p.text().nullable(),
    /** Visible to admins only. */
    note: p.text().nullable(),
    isPrivateProfile: p.boolean().default(false),
    /** An IANA name; empty for the time zone of the browser. */
    timeZone: p.text().default(''),
    isExternal: p.boolean().default(false),
    canCreateGroup: p.boolean().default(true),
    /** The maximum number of projects in the personal namespace. */
    projectsLimit: p.integer().default(100_000),
    failedSignIns: p.smallint().default(0),
    lockedUntil: p.datetime(3).nullable(),
    totpSecret: p.blob().nullable(),
    totpEnabledAt: p.datetime(3).nullable(),
    /** The time step of the last accepted code: a code is accepted only once. */
    totpLastStep: p.bigint('number').nullable(),
    passkeyCount: p.smallint().default(0),
    currentSignInAt: p.datetime(3).nullable(),
    lastSignInAt: p.datetime(3).nullable(),
    currentSignInIp: p.text().nullable(),
    lastSignInIp: p.text().nullable(),
    /** The last day of a request, in UTC. */
    lastActivityOn: p.date().nullable(),
    createdAt: p.datetime(3).onCreate(() => new Date()),
    updatedAt: updatedAt()
  }
})

export class User extends UserSchema.class {
  isActive() {
    return this.state === 'active'
  }

  maySignIn() {
    return this.state === 'active' || this.state === 'deactivated'
  }

  /** Signed up, and waits for the approval of an admin. */
  isPending() {
    return this.state === 'blocked_pending_approval'
  }

  isBot() {
    return this.kind !== 'human'
  }

  /** Whether unknown browsers cannot sign in. */
  isLocked(at: Date) {
    return isLocked(this, at)
  }

  /** Whether signing in takes more than the password. */
  hasTwoFactor() {
    return Boolean(this.totpEnabledAt) || this.passkeyCount > 0
  }

  /** A one-time password has to be replaced at the next sign-in. */
  setPassword(hash: string, { isOneTime = false } = {}) {
    this.passwordHash = hash
    this.mustChangePassword = isOneTime
  }

  recordSignIn(at: Date, ip: string) {
    this.lastSignInAt = this.currentSignInAt
    this.currentSignInAt = at
    this.lastSignInIp = this.currentSignInIp
    this.currentSignInIp = ip
    this.state = 'active'
  }

  /** RFC 6238 §5.2: false when a code of this or a later time step was accepted before. */
  acceptTotpStep(step: number) {
    if (this.totpLastStep && step <= this.totpLastStep) return false
    this.totpLastStep = step

    return true
  }

  disableTotp() {
    this.totpSecret = null
    this.totpEnabledAt = null
    this.totpLastStep = null
  }
}

UserSchema.setClass(User)
