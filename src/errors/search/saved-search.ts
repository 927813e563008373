import { defineEntity, p } from '@mikro-orm/core'
import { updatedAt } from '#platform/database/updated-at.ts'
import type { Sort } from '../groups/group-filter.ts'

export const SavedSearchSchema = defineEntity({
  name: 'SavedSearch',
  tableName: 'error_searches_saved',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    projectId: p.bigint('number'),
    /** Null for a search that all developers of the project see. */
    userId: p.bigint('number').nullable(),
    name: p.text(),
    query: p.text(),
    sort: p.text().$type<Sort>(),
    createdAt: p.datetime(3).onCreate(() => new Date()),
    updatedAt: updatedAt()
  }
})

/** A search of errors with a name: a user's own, or one of all developers of a project. */
export class SavedSearch extends SavedSearchSchema.class {}

SavedSearchSchema.setClass(SavedSearch)
