import { defineEntity, p } from '@mikro-orm/core'
import type { Severity } from './severity.ts'

export const alertStatuses = ['triggered', 'acknowledged', 'resolved', 'ignored'] as const
export type AlertStatus = (typeof alertStatuses)[number]
/** In which form it came. */
export type PayloadKind = 'generic' | 'metrics'

const AlertSchema = defineEntity({
  name: 'Alert',
  tableName: 'alerts',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    projectId: p.bigint('number'),
    iid: p.bigint('number'),
    integrationId: p.bigint('number').nullable(),
    kind: p.text().$type<PayloadKind>(),
    fingerprint: p.text().nullable(),
    status: p.text().$type<AlertStatus>().columnType('alert_status').default('triggered'),
    severity: p.text().$type<Severity>().columnType('alert_severity'),
    title: p.text(),
    description: p.text().nullable(),
    service: p.text().nullable(),
    monitoringTool: p.text().nullable(),
    hosts: p.array<string>().columnType('text[]').default([]),
    environment: p.text().nullable(),
    runbook: p.text().nullable(),
    metricExpression: p.text().nullable(),
    yLabel: p.text().nullable(),
    incidentMarkdown: p.text().nullable(),
    events: p.bigint('number').default(1),
    startedAt: p.datetime(3),
    endedAt: p.datetime(3).nullable(),
    /** The JSON that began it, as it came; read it with `payload.ts`. */
    payload: p.text().lazy(),
    issueId: p.bigint('number').nullable(),
    createdAt: p.datetime(3).onCreate(() => new Date()),
    updatedAt: p
      .datetime(3)
      .onCreate(() => new Date())
      .onUpdate(() => new Date())
  }
})

/** Something a monitoring tool wants people to look at. */
export class Alert extends AlertSchema.class {
  /** Only the resolved have an end. Whoever reopens one finds out that another is open already when it is saved. */
  changeStatus(status: AlertStatus, at: Date) {
    if (status === this.status) return false
    if (status === 'resolved') this.endedAt = at
    else if (this.status === 'resolved') this.endedAt = null
    this.status = status

    return true
  }
}

AlertSchema.setClass(Alert)
