import { defineEntity, p } from '@mikro-orm/core'
import { User } from '#identity/users/user.ts'
import { Namespace } from '#namespaces/namespace.ts'
import { updatedAt } from '#platform/database/updated-at.ts'
import { Project } from '../project.ts'

export const AccessRequestSchema = defineEntity({
  name: 'AccessRequest',
  tableName: 'access_requests',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    project: () => p.manyToOne(Project).nullable(),
    group: () => p.manyToOne(Namespace).nullable(),
    user: () => p.manyToOne(User),
    createdAt: p.datetime(3).onCreate(() => new Date()),
    updatedAt: updatedAt()
  }
})

/** A user asks to become a member of a project or a group. */
export class AccessRequest extends AccessRequestSchema.class {}

AccessRequestSchema.setClass(AccessRequest)
