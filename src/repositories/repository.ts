import { defineEntity, p } from '@mikro-orm/core'
import { updatedAt } from '#platform/database/updated-at.ts'

export const RepositorySchema = defineEntity({
  name: 'Repository',
  tableName: 'repositories',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    projectId: p.bigint('number').nullable(),
    /** Set for a group's wiki. */
    groupId: p.bigint('number').nullable(),
    snippetId: p.bigint('number').nullable(),
    storage: p.text(),
    path: p.text(),
    /** When false, nothing was written yet and the directory does not exist. A missing directory is an error otherwise. */
    isInitialized: p.boolean().default(false),
    /** While it moves to another storage. */
    isReadOnly: p.boolean().default(false),
    writtenAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3).onCreate(() => new Date()),
    updatedAt: updatedAt()
  }
})

/** A git repository: where it lies, and whose it is. */
export class Repository extends RepositorySchema.class {}

RepositorySchema.setClass(Repository)

/** Whose repository. Exactly one id is given. */
export type RepositoryOwner = { projectId: number } | { groupId: number } | { snippetId: number }
