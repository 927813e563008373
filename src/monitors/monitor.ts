import { defineEntity, p } from '@mikro-orm/core'
import { updatedAt } from '#platform/database/updated-at.ts'
import type { HttpCheck } from './http-check.ts'
import type { Schedule } from './schedule.ts'

export const MonitorSchema = defineEntity({
  name: 'Monitor',
  tableName: 'monitors',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    projectId: p.bigint('number'),
    slug: p.text(),
    name: p.text(),
    kind: p.text().$type<'cron' | 'http'>().default('cron'),
    /** Null while none is known: then no run is missed. */
    schedule: p.json<Schedule>().nullable(),
    http: p.json<HttpCheck>().nullable(),
    /** Encrypted. */
    httpHeaders: p.blob().$type<Buffer>().nullable(),
    timezone: p.text().default('UTC'),
    marginMinutes: p.integer().default(1),
    maxRunMinutes: p.integer().default(30),
    /** How many runs in a row make an alert, and end it. */
    failureThreshold: p.integer().default(1),
    recoveryThreshold: p.integer().default(1),
    /** Failures are recorded, but open no alert. */
    isMuted: p.boolean().default(false),
    createdAt: p.datetime(3).onCreate(() => new Date()),
    updatedAt: updatedAt()
  }
})

/** Watches a job that runs again and again and checks in, or requests a URL again and again. */
export class Monitor extends MonitorSchema.class {}

MonitorSchema.setClass(Monitor)
