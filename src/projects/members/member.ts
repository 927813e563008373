import { defineEntity, p } from '@mikro-orm/core'
import { User } from '#identity/users/user.ts'
import { Namespace } from '#namespaces/namespace.ts'
import { updatedAt } from '#platform/database/updated-at.ts'
import { Project } from '../project.ts'

/** GitLab's access levels. */
export const Role = { guest: 10, planner: 15, reporter: 20, developer: 30, maintainer: 40, owner: 50 } as const

export function roleName(level: number) {
  const [name = 'none'] = Object.entries(Role).find(([, number]) => number === level) ?? []

  return name[0]!.toUpperCase() + name.slice(1)
}

export const MemberSchema = defineEntity({
  name: 'Member',
  tableName: 'members',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    project: () => p.manyToOne(Project).nullable(),
    group: () => p.manyToOne(Namespace).nullable(),
    user: () => p.manyToOne(User),
    accessLevel: p.smallint(),
    createdBy: () => p.manyToOne(User).nullable(),
    /** The last day of the membership. */
    expiresAt: p.date().nullable(),
    createdAt: p.datetime(3).onCreate(() => new Date()),
    updatedAt: updatedAt()
  }
})

export class Member extends MemberSchema.class {
  /** Undefined members are left unchanged. */
  change({ accessLevel, expiresAt }: { accessLevel?: number; expiresAt?: string | null }) {
    if (accessLevel !== undefined) this.accessLevel = accessLevel
    if (expiresAt !== undefined) this.expiresAt = expiresAt
  }
}

MemberSchema.setClass(Member)
