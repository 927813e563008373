import type { Preset } from './preset.ts'

/** The default payload of workflows, and that of the former notification channels. */
export const newRelic: Preset = {
  name: 'new-relic',
  label: 'New Relic',
  kind: 'http',
  mapping: {
    status: [
      {
        path: ['state'],
        values: { CREATED: 'triggered', ACTIVATED: 'triggered', DEACTIVATED: 'resolved', CLOSED: 'resolved', '*': 'skipped' }
      },
      { path: ['current_state'], values: { open: 'triggered', closed: 'resolved', '*': 'skipped' } }
    ],
    title: [['title'], ['condition_name']],
    description: [{ template: '{alertConditionNames} ({alertPolicyNames})' }, ['details']],
    severity: [{ path: ['priority'], values: { CRITICAL: 'critical', HIGH: 'high', MEDIUM: 'medium', LOW: 'low' } }, ['severity']],
    start_time: [['createdAt'], ['timestamp']],
    end_time: [['closedAt'], ['updatedAt'], ['timestamp']],
    service: [['alertPolicyNames', 0], ['policy_name']],
    hosts: [['impactedEntities'], { join: [['targets', 0, 'name']] }],
    monitoring_tool: [{ constant: 'New Relic' }],
    fingerprint: [['id'], ['incident_id']]
  }
}
