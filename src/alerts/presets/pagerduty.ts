import type { Preset } from './preset.ts'

/** Webhooks of version 3. */
export const pagerduty: Preset = {
  name: 'pagerduty',
  label: 'PagerDuty',
  kind: 'http',
  mapping: {
    status: [
      {
        path: ['event', 'event_type'],
        values: {
          'incident.triggered': 'triggered',
          'incident.reopened': 'triggered',
          'incident.unacknowledged': 'triggered',
          'incident.escalated': 'triggered',
          'incident.resolved': 'resolved',
          '*': 'skipped'
        }
      }
    ],
    title: [['event', 'data', 'title']],
    description: [{ template: 'Incident {event.data.number}: {event.data.html_url}' }],
    severity: [
      { path: ['event', 'data', 'priority', 'summary'], values: { P1: 'critical', P2: 'high', P3: 'medium', P4: 'low', P5: 'info' } },
      { path: ['event', 'data', 'urgency'], values: { high: 'high', low: 'low' } }
    ],
    start_time: [
      ['event', 'data', 'created_at'],
      ['event', 'occurred_at']
    ],
    end_time: [['event', 'occurred_at']],
    service: [['event', 'data', 'service', 'summary']],
    monitoring_tool: [{ constant: 'PagerDuty' }],
    fingerprint: [['event', 'data', 'id']]
  }
}
