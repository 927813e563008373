import { defineEntity, p } from '@mikro-orm/core'
import type { InferKyselyTable } from '@mikro-orm/postgresql'
import type { Selectable } from 'kysely'
import type { Severity } from '#lib/severity.ts'
import { updatedAt } from '#platform/database/updated-at.ts'

export const AlertSettingSchema = defineEntity({
  name: 'AlertSetting',
  tableName: 'alert_settings',
  properties: {
    projectId: p.bigint('number').primary(),
    createsIncidents: p.boolean().default(false),
    /** When the alert is resolved. */
    closesIncidents: p.boolean().default(false),
    /** Alerts below this severity open no incident and send no e-mail. `unknown` is the lowest severity. */
    severityFloor: p.text().$type<Severity>().columnType('alert_severity').default('unknown'),
    sendsEmail: p.boolean().default(false),
    incidentTemplate: p.text().nullable(),
    /** Whether generic alerts without a fingerprint are grouped by content. */
    isFingerprinting: p.boolean().default(true),
    /** Whether a repeated alert raises the severity and updates title and description. */
    updatesOnRepeat: p.boolean().default(true),
    requestsPerMinute: p.integer().nullable(),
    updatedAt: updatedAt()
  }
})

/** The alert settings of a project. Projects without a row have the defaults. */
export class AlertSetting extends AlertSettingSchema.class {}

AlertSettingSchema.setClass(AlertSetting)

/** Undefined values stay unchanged. */
export type SettingValues = Partial<
  Omit<Selectable<InferKyselyTable<typeof AlertSettingSchema, { columnNamingStrategy: 'property' }>>, 'projectId'>
>
