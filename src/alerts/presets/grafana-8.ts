import type { Preset } from './preset.ts'

/** The alerting of dashboards, which Grafana 8 calls legacy. */
export const grafana8: Preset = {
  name: 'grafana-8',
  label: 'Grafana 8 (dashboard alerts)',
  kind: 'http',
  mapping: {
    status: [{ path: ['state'], values: { alerting: 'triggered', no_data: 'triggered', ok: 'resolved', '*': 'skipped' } }],
    title: [['ruleName'], ['title']],
    description: [['message']],
    monitoring_tool: [{ constant: 'Grafana' }],
    fingerprint: [{ join: [['orgId'], ['ruleId']] }]
  }
}
