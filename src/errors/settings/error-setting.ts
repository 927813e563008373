import { defineEntity, p } from '@mikro-orm/core'
import { updatedAt } from '#platform/database/updated-at.ts'

export const ErrorSettingSchema = defineEntity({
  name: 'ErrorSetting',
  tableName: 'error_settings',
  properties: {
    projectId: p.bigint('number').primary(),
    active: p.boolean(),
    integrated: p.boolean(),
    projectName: p.text().nullable(),
    trackerExternalUrl: p.text().nullable(),
    apiUrl: p.text().nullable(),
    /** Encrypted token for the API of an external tracker. */
    trackerToken: p.blob().nullable(),
    /** Null for no limit. */
    eventsPerMinute: p.integer().nullable(),
    hasSpikeProtection: p.boolean().default(true),
    isScrubbing: p.boolean().default(true),
    scrubbedKeys: p.array<string>().columnType('text[]').default([]),
    safeKeys: p.array<string>().columnType('text[]').default([]),
    keepsIpAddresses: p.boolean().default(true),
    filtersBrowserExtensions: p.boolean().default(false),
    filtersWebCrawlers: p.boolean().default(false),
    filtersLocalhost: p.boolean().default(false),
    /** Patterns; `*` stands for any text. */
    filteredReleases: p.array<string>().columnType('text[]').default([]),
    filteredMessages: p.array<string>().columnType('text[]').default([]),
    /** Null for the retention of the installation. */
    retentionDays: p.integer().nullable(),
    /** See `fillPattern`. Null for the pages of the project's own repository. */
    sourceLink: p.text().nullable(),
    updatedAt: updatedAt()
  }
})

/** The error tracking settings of a project. Without them, error tracking is disabled. */
export class ErrorSetting extends ErrorSettingSchema.class {}

ErrorSettingSchema.setClass(ErrorSetting)
