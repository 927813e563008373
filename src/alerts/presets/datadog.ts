import type { Preset } from './preset.ts'

/** The custom payload of the recipe: the default payload of Datadog does not tell a recovery from an alert. */
export const datadog: Preset = {
  name: 'datadog',
  label: 'Datadog',
  kind: 'http',
  mapping: {
    status: [
      {
        path: ['alert_transition'],
        values: {
          Triggered: 'triggered',
          'Re-Triggered': 'triggered',
          Renotify: 'triggered',
          Warn: 'triggered',
          'Re-Warn': 'triggered',
          'No Data': 'triggered',
          'Re-No Data': 'triggered',
          Recovered: 'resolved'
        }
      }
    ],
    title: [['alert_title'], ['title']],
    description: [['body']],
    severity: [
      { path: ['alert_priority'], values: { P1: 'critical', P2: 'high', P3: 'medium', P4: 'low', P5: 'info' } },
      { path: ['alert_type'], values: { error: 'critical', warning: 'medium', info: 'info', success: 'info' } }
    ],
    start_time: [['date']],
    end_time: [['last_updated']],
    hosts: [['hostname']],
    monitoring_tool: [{ constant: 'Datadog' }],
    fingerprint: [['alert_cycle_key'], { join: [['alert_id'], ['alert_scope']] }]
  }
}
