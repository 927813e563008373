import { defineEntity, p } from '@mikro-orm/core'
import type { Severity } from '../../lib/severity.ts'

const AlertSettingSchema = defineEntity({
  name: 'AlertSetting',
  tableName: 'alert_settings',
  properties: {
    projectId: p.bigint('number').primary(),
    createsIncidents: p.boolean().default(false),
    /** When the alert resolves. */
    closesIncidents: p.boolean().default(false),
    /** Alerts below it make no incident and send no e-mail; `unknown`, the last, is below nothing. */
    severityFloor: p.text().$type<Severity>().columnType('alert_severity').default('unknown'),
    sendsEmail: p.boolean().default(false),
    incidentTemplate: p.text().nullable(),
    /** Whether generic alerts without a fingerprint are grouped by what they say. */
    isFingerprinting: p.boolean().default(true),
    requestsPerMinute: p.integer().nullable()
  }
})

/** What a project wants done with its alerts. One that never said has the defaults. */
export class AlertSetting extends AlertSettingSchema.class {}

AlertSettingSchema.setClass(AlertSetting)
