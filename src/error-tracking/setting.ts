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
    trackerToken: p.blob().nullable()
  }
})

/** Whether a project takes in errors, and where from. A project that never said has none. */
export class ErrorSetting extends ErrorSettingSchema.class {}

ErrorSettingSchema.setClass(ErrorSetting)
