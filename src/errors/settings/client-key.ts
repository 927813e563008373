import { randomBytes } from 'node:crypto'
import { defineEntity, p } from '@mikro-orm/core'
import { updatedAt } from '#platform/database/updated-at.ts'

export const ClientKeySchema = defineEntity({
  name: 'ClientKey',
  tableName: 'client_keys',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    projectId: p.bigint('number'),
    publicKey: p.text(),
    active: p.boolean().default(true),
    name: p.text().nullable(),
    /** Null for no limit. */
    eventsPerMinute: p.integer().nullable(),
    /** Patterns of the origins of pages that may send; any when empty. */
    allowedOrigins: p.array<string>().columnType('text[]').default([]),
    createdAt: p.datetime(3).onCreate(() => new Date()),
    updatedAt: updatedAt()
  }
})

/** The key in the DSN of an SDK. It is public, so the API shows it again. */
export class ClientKey extends ClientKeySchema.class {
  /** The data source name to configure an SDK with. */
  dsn(baseUrl: string) {
    const { protocol, host, pathname } = new URL(baseUrl)

    return `${protocol}//${this.publicKey}@${host}${pathname.replace(/\/$/, '')}/errortracking/api/v1/projects/${this.projectId}`
  }
}

ClientKeySchema.setClass(ClientKey)

/** SDKs accept only letters, digits and _ in a DSN. */
export function newClientKey() {
  return `glet_${randomBytes(16).toString('hex')}`
}
