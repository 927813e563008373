import { defineEntity, p } from '@mikro-orm/core'
import { User } from '#identity/users/user.ts'
import { Namespace, type Visibility } from '#namespaces/namespace.ts'
import { updatedAt } from '#platform/database/updated-at.ts'

export const ProjectSchema = defineEntity({
  name: 'Project',
  tableName: 'projects',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    namespace: () => p.manyToOne(Namespace),
    creator: () => p.manyToOne(User).nullable(),
    name: p.text(),
    path: p.text(),
    fullPath: p.text(),
    description: p.text().nullable(),
    visibility: p.text().$type<Visibility>().default('private'),
    isArchived: p.boolean().default(false),
    markedForDeletionAt: p.datetime(3).nullable(),
    /** The id of the group that it is marked with. */
    markedWithId: p.bigint('number').nullable(),
    /** Why it cannot be changed: archived, or marked for deletion. */
    readOnlyReason: p.text().nullable().generated('marked_for_deletion_at, is_archived'),
    defaultBranch: p.text().default('main'),
    /** The name of its file. */
    avatar: p.text().nullable(),
    topics: p.array<string>().columnType('text[]').default([]),
    monitoringAccessLevel: p.text().$type<FeatureAccess>().default('enabled'),
    issuesAccessLevel: p.text().$type<FeatureAccess>().default('enabled'),
    /** Only jobs of allowed projects may use it by their token. Always so from version 18.0. */
    limitsJobTokens: p.boolean().default(true),
    /** The tokens of its own jobs reach no other project that is not public. Gone from version 18.0. */
    limitsJobTokenReach: p.boolean().default(false),
    createdAt: p.datetime(3).onCreate(() => new Date()),
    updatedAt: updatedAt(),
    lastActivityAt: p.datetime(3).onCreate(() => new Date())
  }
})

export interface ProjectChanges {
  name?: string
  description?: string | null
  visibility?: Visibility
  defaultBranch?: string
  /** Null for none. */
  avatar?: string | null
  topics?: string[]
  monitoringAccessLevel?: FeatureAccess
  issuesAccessLevel?: FeatureAccess
  limitsJobTokenReach?: boolean
}

/** Off, for members, or for everyone who sees the project and has the role. */
export type FeatureAccess = 'disabled' | 'private' | 'enabled'

export class Project extends ProjectSchema.class {
  /** Undefined members are left unchanged. */
  change(changes: ProjectChanges) {
    Object.assign(this, Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)))
  }

  moveTo(namespace: Namespace, path: string) {
    this.namespace = namespace
    this.path = path
    this.fullPath = `${namespace.fullPath}/${path}`
  }

  audited() {
    return { type: 'Project' as const, id: this.id, path: this.fullPath as string }
  }
}

ProjectSchema.setClass(Project)
