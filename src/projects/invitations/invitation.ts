import { defineEntity, p } from '@mikro-orm/core'
import { User } from '#identity/users/user.ts'
import { Namespace } from '#namespaces/namespace.ts'
import { updatedAt } from '#platform/database/updated-at.ts'
import { Project } from '../project.ts'

const openMs = 90 * 24 * 3600_000

export const InvitationSchema = defineEntity({
  name: 'Invitation',
  tableName: 'invitations',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    project: () => p.manyToOne(Project).nullable(),
    group: () => p.manyToOne(Namespace).nullable(),
    email: p.text(),
    accessLevel: p.smallint(),
    /** The last day of the membership. */
    expiresAt: p.date().nullable(),
    createdBy: () => p.manyToOne(User).nullable(),
    /** Salt of the token in the link. */
    salt: p.blob(),
    /** Afterwards, the link does not work. */
    openUntil: p.datetime(3),
    createdAt: p.datetime(3).onCreate(() => new Date()),
    updatedAt: updatedAt()
  }
})

/** A person is invited by e-mail to become a member of a project or a group. */
export class Invitation extends InvitationSchema.class {
  isOpen(at: Date) {
    return this.openUntil > at && (!this.expiresAt || this.expiresAt >= at.toISOString().slice(0, 10))
  }

  /** Undefined members are left unchanged. */
  change({ accessLevel, expiresAt }: { accessLevel?: number; expiresAt?: string | null }) {
    if (accessLevel !== undefined) this.accessLevel = accessLevel
    if (expiresAt !== undefined) this.expiresAt = expiresAt
  }

  /** Opens it for another 90 days. */
  renew(at: Date) {
    this.openUntil = openUntil(at)
  }

  /** The project or group, loaded before. */
  source() {
    return (this.project ?? this.group) as Project | Namespace
  }
}

export function openUntil(at: Date) {
  return new Date(at.getTime() + openMs)
}

InvitationSchema.setClass(Invitation)
