import { randomBytes } from 'node:crypto'
import { defineEntity, p } from '@mikro-orm/core'

const ClientKeySchema = defineEntity({
  name: 'ClientKey',
  tableName: 'client_keys',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    projectId: p.bigint('number'),
    publicKey: p.text(),
    active: p.boolean().default(true),
    name: p.text().nullable(),
    /** Nothing for as many as come. */
    eventsPerMinute: p.integer().nullable(),
    createdAt: p.datetime(3).onCreate(() => new Date())
  }
})

/** What SDKs identify themselves with. It is public by nature, so it is shown again. */
export class ClientKey extends ClientKeySchema.class {
  /** The data source name that an SDK is configured with. */
  dsn(baseUrl: string) {
    const { protocol, host, pathname } = new URL(baseUrl)

    return `${protocol}//${this.publicKey}@${host}${pathname.replace(/\/$/, '')}/errortracking/api/v1/projects/${this.projectId}`
  }
}

ClientKeySchema.setClass(ClientKey)

/** Letters, digits and _ only: SDKs refuse anything else in a DSN. */
export function newClientKey() {
  return `glet_${randomBytes(16).toString('hex')}`
}
