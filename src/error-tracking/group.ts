import { defineEntity, p } from '@mikro-orm/core'

const ErrorGroupSchema = defineEntity({
  name: 'ErrorGroup',
  tableName: 'error_groups',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    projectId: p.bigint('number'),
    name: p.text(),
    description: p.text(),
    actor: p.text(),
    platform: p.text().nullable(),
    level: p.text(),
    status: p.text().$type<'unresolved' | 'resolved' | 'ignored'>().default('unresolved'),
    events: p.bigint('number').default(0),
    firstSeenAt: p.datetime(3),
    lastSeenAt: p.datetime(3)
  }
})

/** Errors that are one problem; the API calls it an error, and its id the fingerprint. */
export class ErrorGroup extends ErrorGroupSchema.class {}

ErrorGroupSchema.setClass(ErrorGroup)
