import { defineEntity, p } from '@mikro-orm/core'
import { updatedAt } from '#platform/database/updated-at.ts'

export type MoveState = 'initial' | 'scheduled' | 'started' | 'replicated' | 'finished' | 'failed' | 'cleanup failed'

export interface StateChange {
  state: MoveState
  at: string
}

export const StorageMoveSchema = defineEntity({
  name: 'StorageMove',
  tableName: 'repository_storage_moves',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    repositoryId: p.bigint('number'),
    bulkMoveId: p.bigint('number').nullable(),
    state: p.text().$type<MoveState>(),
    history: p.json().$type<StateChange[]>(),
    sourceStorage: p.text(),
    sourcePath: p.text(),
    destinationStorage: p.text(),
    /** Path of the current attempt: each one copies to its own path. */
    destinationPath: p.text().nullable(),
    attempts: p.integer().default(0),
    errorMessage: p.text().nullable(),
    createdAt: p.datetime(3).onCreate(() => new Date()),
    updatedAt: updatedAt()
  }
})

/** The move of a repository to another storage. The repository is read-only until the move is replicated or has failed. */
export class StorageMove extends StorageMoveSchema.class {
  enter(state: MoveState, at: Date) {
    if (state === this.state) return
    this.state = state
    this.history = [...this.history, { state, at: at.toISOString() }]
  }
}

StorageMoveSchema.setClass(StorageMove)
