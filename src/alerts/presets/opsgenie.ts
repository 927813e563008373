import type { Preset } from './preset.ts'

export const opsgenie: Preset = {
  name: 'opsgenie',
  label: 'Opsgenie',
  kind: 'http',
  mapping: {
    status: [
      {
        path: ['action'],
        values: {
          Create: 'triggered',
          UnAcknowledge: 'triggered',
          Escalate: 'triggered',
          EscalateNext: 'triggered',
          Close: 'resolved',
          Delete: 'resolved',
          '*': 'skipped'
        }
      }
    ],
    title: [['alert', 'message']],
    description: [['alert', 'description']],
    severity: [{ path: ['alert', 'priority'], values: { P1: 'critical', P2: 'high', P3: 'medium', P4: 'low', P5: 'info' } }],
    start_time: [['alert', 'createdAt']],
    end_time: [['alert', 'updatedAt']],
    service: [['alert', 'entity']],
    monitoring_tool: [{ constant: 'Opsgenie' }],
    fingerprint: [['alert', 'alertId']]
  }
}
