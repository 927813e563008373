import { defineEntity, p } from '@mikro-orm/core'

const ErrorSettingSchema = defineEntity({
  name: 'ErrorSetting',
  tableName: 'error_settings',
  properties: {
    projectId: p.bigint('number').primary(),
    active: p.boolean(),
    integrated: p.boolean(),
    projectName: p.text().nullable(),
    trackerExternalUrl: p.text().nullable(),
    apiUrl: p.text().nullable(),
    /** For the API of an external tracker; sealed. */
    trackerToken: p.blob().nullable(),
    /** Nothing for as many as come. */
    eventsPerMinute: p.integer().nullable(),
    hasSpikeProtection: p.boolean().default(true),
    isScrubbing: p.boolean().default(true),
    scrubbedKeys: p.array<string>().columnType('text[]').default([]),
    safeKeys: p.array<string>().columnType('text[]').default([]),
    keepsIpAddresses: p.boolean().default(true),
    /** Nothing for as long as the installation keeps them. */
    retentionDays: p.integer().nullable()
  }
})

/** Whether a project takes in errors, where from, how many, and what it keeps of them. A project that never said has none. */
export class ErrorSetting extends ErrorSettingSchema.class {}

ErrorSettingSchema.setClass(ErrorSetting)
