import { defineEntity, p } from '@mikro-orm/core'
import { User } from '../identity/user.ts'
import { Namespace } from './namespace.ts'
import { Project } from './project.ts'

/** Roles, by the numbers that clients know them by. */
export const Role = { guest: 10, reporter: 20, developer: 30, maintainer: 40, owner: 50 } as const

const MemberSchema = defineEntity({
  name: 'Member',
  tableName: 'members',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    project: () => p.manyToOne(Project).nullable(),
    group: () => p.manyToOne(Namespace).nullable(),
    user: () => p.manyToOne(User),
    accessLevel: p.smallint(),
    createdBy: () => p.manyToOne(User).nullable(),
    expiresAt: p.date().nullable(),
    createdAt: p.datetime(3).onCreate(() => new Date())
  }
})

export class Member extends MemberSchema.class {}

MemberSchema.setClass(Member)
