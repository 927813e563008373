import type { Preset } from './preset.ts'

const levels = { fatal: 'critical', error: 'high', warning: 'medium', info: 'info', debug: 'info', sample: 'info' }

/** Issue alerts, issues and metric alerts of an internal integration. */
export const sentry: Preset = {
  name: 'sentry',
  label: 'Sentry',
  kind: 'http',
  mapping: {
    status: [
      {
        path: ['action'],
        values: {
          triggered: 'triggered',
          created: 'triggered',
          unresolved: 'triggered',
          critical: 'triggered',
          warning: 'triggered',
          resolved: 'resolved',
          archived: 'resolved',
          ignored: 'resolved',
          '*': 'skipped'
        }
      }
    ],
    title: [
      ['data', 'event', 'title'],
      ['data', 'issue', 'title'],
      ['data', 'metric_alert', 'alert_rule', 'name'],
      ['data', 'description_title']
    ],
    description: [
      ['data', 'event', 'culprit'],
      ['data', 'issue', 'culprit'],
      ['data', 'description_text']
    ],
    severity: [
      { path: ['data', 'event', 'level'], values: levels },
      { path: ['data', 'issue', 'level'], values: levels },
      { path: ['action'], values: { critical: 'critical', warning: 'medium' } }
    ],
    start_time: [
      ['data', 'event', 'datetime'],
      ['data', 'issue', 'lastSeen'],
      ['data', 'metric_alert', 'date_started']
    ],
    end_time: [['data', 'metric_alert', 'date_closed']],
    service: [
      ['data', 'issue', 'project', 'slug'],
      ['data', 'metric_alert', 'projects', 0]
    ],
    service_environment_name: [
      ['data', 'event', 'environment'],
      ['data', 'metric_alert', 'alert_rule', 'environment']
    ],
    monitoring_tool: [{ constant: 'Sentry' }],
    // Issues and metric alerts have separate ids.
    fingerprint: [
      { template: 'issue {data.event.issue_id}' },
      { template: 'issue {data.issue.id}' },
      { template: 'metric alert {data.metric_alert.id}' }
    ]
  }
}
