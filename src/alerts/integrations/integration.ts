import { randomBytes } from 'node:crypto'
import { defineEntity, p } from '@mikro-orm/core'
import { hashSecret } from '#identity/secrets.ts'
import { updatedAt } from '#platform/database/updated-at.ts'
import type { Mapping } from '../parse/mapping.ts'

export const integrationKinds = ['http', 'prometheus', 'on_call'] as const
export type IntegrationKind = (typeof integrationKinds)[number]

export const IntegrationSchema = defineEntity({
  name: 'AlertIntegration',
  tableName: 'alert_integrations',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    projectId: p.bigint('number'),
    name: p.text(),
    kind: p.text().$type<IntegrationKind>(),
    active: p.boolean().default(true),
    /** Identifies the integration in its URL; never changed. */
    endpointIdentifier: p.text(),
    tokenHash: p.blob().$type<Buffer>(),
    mapping: p
      .json()
      .$type<Mapping>()
      .onCreate(() => ({})),
    /** The name of a preset; `mapping` overrides its mapping. */
    preset: p.text().nullable(),
    /** For editing the mapping. */
    samplePayload: p.text().nullable(),
    apiUrl: p.text().nullable(),
    /** The on-call tool that an on-call link leads to. */
    externalUrl: p.text().nullable(),
    createdAt: p.datetime(3).onCreate(() => new Date()),
    updatedAt: updatedAt()
  }
})

/** The endpoint identifiers of the first integration of each kind: its URL has no name. */
export const legacyEndpoints: Partial<Record<IntegrationKind, string>> = { http: 'legacy', prometheus: 'legacy-prometheus' }

/** A URL that monitoring tools send alerts to, and its authorization key. */
export class Integration extends IntegrationSchema.class {
  url(baseUrl: string, projectPath: string) {
    const root = `${baseUrl}/${projectPath}`

    if (this.endpointIdentifier === legacyEndpoints.http) return `${root}/alerts/notify.json`
    if (this.endpointIdentifier === legacyEndpoints.prometheus) return `${root}/prometheus/alerts/notify.json`

    return `${root}/alerts/notify/${slugOf(this.name)}/${this.endpointIdentifier}.json`
  }

  /** Returns the new key; only its hash is stored. */
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
