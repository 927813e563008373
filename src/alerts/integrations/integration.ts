import { randomBytes } from 'node:crypto'
import { defineEntity, p } from '@mikro-orm/core'
import { hashSecret } from '../../identity/secrets.ts'
import type { Mapping } from '../parse/mapping.ts'

export const integrationKinds = ['http', 'prometheus', 'on_call'] as const
export type IntegrationKind = (typeof integrationKinds)[number]

const IntegrationSchema = defineEntity({
  name: 'AlertIntegration',
  tableName: 'alert_integrations',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    projectId: p.bigint('number'),
    name: p.text(),
    kind: p.text().$type<IntegrationKind>(),
    active: p.boolean().default(true),
    /** Its place in the address; never changed. */
    endpointIdentifier: p.text(),
    tokenHash: p.blob().$type<Buffer>(),
    mapping: p
      .json()
      .$type<Mapping>()
      .onCreate(() => ({})),
    /** What the mapping was made with, as it was pasted. */
    samplePayload: p.text().nullable(),
    apiUrl: p.text().nullable(),
    /** Of an on-call tool elsewhere. */
    externalUrl: p.text().nullable(),
    createdAt: p.datetime(3).onCreate(() => new Date()),
    updatedAt: p
      .datetime(3)
      .onCreate(() => new Date())
      .onUpdate(() => new Date())
  }
})

/** The addresses of the first integration of each kind, which need no name. */
export const unnamedEndpoints: Record<string, string> = { http: 'legacy', prometheus: 'legacy-prometheus' }

/** Where a monitoring tool sends its alerts, and the key that lets it. */
export class Integration extends IntegrationSchema.class {
  /** The address to send to. */
  url(baseUrl: string, projectPath: string) {
    const root = `${baseUrl}/${projectPath}`

    if (this.endpointIdentifier === unnamedEndpoints.http) return `${root}/alerts/notify.json`
    if (this.endpointIdentifier === unnamedEndpoints.prometheus) return `${root}/prometheus/alerts/notify.json`

    return `${root}/alerts/notify/${slugOf(this.name)}/${this.endpointIdentifier}.json`
  }

  /** Makes a new key, which from now on is the only one. Told this once; only its hash is kept. */
  resetKey() {
    const key = randomBytes(16).toString('hex')

    this.tokenHash = hashSecret(key)

    return key
  }
}

IntegrationSchema.setClass(Integration)

export function newEndpointIdentifier() {
  return randomBytes(8).toString('hex')
}

function slugOf(name: string) {
  return (
    name
      .normalize('NFKD')
      .replace(/\p{M}+/gu, '')
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '') || 'http-endpoint'
  )
}
