import { defineEntity, p } from '@mikro-orm/core'
import type { InferKyselyTable } from '@mikro-orm/postgresql'
import type { Selectable } from 'kysely'
import type { Severity } from '#lib/severity.ts'
import type { Tables } from '#platform/database/database.ts'
import { updatedAt } from '#platform/database/updated-at.ts'

export const alertStatuses = ['triggered', 'acknowledged', 'resolved', 'ignored'] as const
export const openStatuses = ['triggered', 'acknowledged'] as const
export type AlertStatus = (typeof alertStatuses)[number]
/** The format of the payload. */
export type PayloadKind = 'generic' | 'metrics'

export const AlertSchema = defineEntity({
  name: 'Alert',
  tableName: 'alerts',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    projectId: p.bigint('number'),
    iid: p.bigint('number'),
    integrationId: p.bigint('number').nullable(),
    kind: p.text().$type<PayloadKind>(),
    fingerprint: p.text().nullable(),
    /** The same for all alerts of one condition, whenever it fires; `fingerprint` may differ each time. */
    recurrenceKey: p.text().nullable(),
    status: p.text().$type<AlertStatus>().columnType('alert_status').default('triggered'),
    severity: p.text().$type<Severity>().columnType('alert_severity'),
    title: p.text(),
    description: p.text().nullable(),
    service: p.text().nullable(),
    monitoringTool: p.text().nullable(),
    hosts: p.array<string>().columnType('text[]').default([]),
    environment: p.text().nullable(),
    /** As `name=value`. */
    labels: p.array<string>().columnType('text[]').default([]),
    runbook: p.text().nullable(),
    metricExpression: p.text().nullable(),
    yLabel: p.text().nullable(),
    incidentMarkdown: p.text().nullable(),
    events: p.bigint('number').default(1),
    startedAt: p.datetime(3),
    endedAt: p.datetime(3).nullable(),
    /** The JSON text that created the alert. */
    payload: p.text().lazy(),
    issueId: p.bigint('number').nullable(),
    createdAt: p.datetime(3).onCreate(() => new Date()),
    updatedAt: updatedAt(),
    /** Time of the last occurrence. Changes by users do not count. */
    lastSeenAt: p.datetime(3).onCreate(() => new Date())
  }
})

type Columns = Selectable<InferKyselyTable<typeof AlertSchema, { columnNamingStrategy: 'property' }>>
type Optional = { [P in keyof Columns]: null extends Columns[P] ? P : never }[keyof Columns]

/** Plain values for an alert's columns: nullable ones may be left out. */
export type AlertValues = Omit<Columns, Optional> & { [P in Optional]?: NonNullable<Columns[P]> }

export const alertColumns = Object.keys(AlertSchema.properties).map(toColumn) as (keyof Tables['alerts'])[]

/** A problem that a monitoring tool reported. */
export class Alert extends AlertSchema.class {
  /** Only resolved alerts have an end time. Returns whether the status changed. */
  changeStatus(status: AlertStatus, at: Date) {
    if (status === this.status) return false
    if (status === 'resolved') this.endedAt = at
    else if (this.status === 'resolved') this.endedAt = null
    this.status = status

    return true
  }

  url(baseUrl: string) {
    return alertUrl(baseUrl, this.projectId, this.iid)
  }
}

AlertSchema.setClass(Alert)

export function alertUrl(baseUrl: string, projectId: number, iid: number) {
  return `${baseUrl}/projects/${projectId}/alerts/${iid}`
}

/** `monitoringTool` as `monitoring_tool`. */
export function toColumn(property: string) {
  return property.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
}
