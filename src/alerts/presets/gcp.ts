import type { Preset } from './preset.ts'

export const gcp: Preset = {
  name: 'gcp',
  label: 'Google Cloud Monitoring',
  kind: 'http',
  mapping: {
    status: [{ path: ['incident', 'state'], values: { open: 'triggered', closed: 'resolved', '*': 'skipped' } }],
    title: [{ template: '{incident.policy_name}: {incident.condition_name}' }, ['incident', 'policy_name'], ['incident', 'summary']],
    description: [['incident', 'summary']],
    severity: [
      { path: ['incident', 'severity'], values: { Critical: 'critical', Error: 'high', Warning: 'medium', 'No severity': 'unknown' } }
    ],
    start_time: [['incident', 'started_at']],
    end_time: [['incident', 'ended_at']],
    service: [
      ['incident', 'resource_type_display_name'],
      ['incident', 'resource', 'type']
    ],
    hosts: [
      ['incident', 'resource_display_name'],
      ['incident', 'resource_name']
    ],
    monitoring_tool: [{ constant: 'Google Cloud Monitoring' }],
    fingerprint: [['incident', 'incident_id']]
  }
}
