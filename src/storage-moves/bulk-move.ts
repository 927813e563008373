import { defineEntity, p } from '@mikro-orm/core'
import { updatedAt } from '#platform/database/updated-at.ts'

export type MoveKindName = 'project' | 'group' | 'snippet'

export const BulkMoveSchema = defineEntity({
  name: 'BulkMove',
  tableName: 'repository_bulk_moves',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    kind: p.text().$type<MoveKindName>(),
    sourceStorage: p.text(),
    /** Chosen by weight for each repository when null. */
    destinationStorage: p.text().nullable(),
    /** The repositories that were on the storage at first. */
    total: p.integer(),
    /** Repositories up to this id were scheduled or skipped. */
    lastRepositoryId: p.bigint('number').default(0),
    /** Already moving, or deleted. */
    skipped: p.integer().default(0),
    createdById: p.bigint('number').nullable(),
    createdAt: p.datetime(3).onCreate(() => new Date()),
    updatedAt: updatedAt(),
    finishedAt: p.datetime(3).nullable()
  }
})

/** The move of all repositories of one kind away from a storage, a few at a time. */
export class BulkMove extends BulkMoveSchema.class {}

BulkMoveSchema.setClass(BulkMove)
