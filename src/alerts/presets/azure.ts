import type { Preset } from './preset.ts'

/** The common alert schema. */
export const azure: Preset = {
  name: 'azure',
  label: 'Azure Monitor',
  kind: 'http',
  mapping: {
    status: [{ path: ['data', 'essentials', 'monitorCondition'], values: { Fired: 'triggered', Resolved: 'resolved' } }],
    title: [['data', 'essentials', 'alertRule']],
    description: [['data', 'essentials', 'description']],
    severity: [
      { path: ['data', 'essentials', 'severity'], values: { Sev0: 'critical', Sev1: 'high', Sev2: 'medium', Sev3: 'low', Sev4: 'info' } }
    ],
    start_time: [['data', 'essentials', 'firedDateTime']],
    end_time: [['data', 'essentials', 'resolvedDateTime']],
    service: [['data', 'essentials', 'monitoringService']],
    hosts: [['data', 'essentials', 'configurationItems']],
    monitoring_tool: [{ constant: 'Azure Monitor' }],
    fingerprint: [['data', 'essentials', 'alertId']]
  }
}
