import { defineEntity, p } from '@mikro-orm/core'

const AlertAssigneeSchema = defineEntity({
  name: 'AlertAssignee',
  tableName: 'alert_assignees',
  properties: {
    alertId: p.bigint('number').primary(),
    userId: p.bigint('number').primary()
  }
})

/** Who looks after an alert. */
export class AlertAssignee extends AlertAssigneeSchema.class {}

AlertAssigneeSchema.setClass(AlertAssignee)
