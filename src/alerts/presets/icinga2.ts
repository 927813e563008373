import type { Preset } from './preset.ts'

/** The members that the recipe's notification command sends. */
export const icinga2: Preset = {
  name: 'icinga2',
  label: 'Icinga 2',
  kind: 'http',
  mapping: {
    // Acknowledgements, downtimes and flapping change nothing.
    status: [{ path: ['notification_type'], values: { PROBLEM: 'triggered', CUSTOM: 'triggered', RECOVERY: 'resolved', '*': 'skipped' } }],
    title: [{ template: '{service_display_name} on {host_display_name} is {state}' }, { template: '{host_display_name} is {state}' }],
    description: [['output']],
    severity: [{ path: ['state'], values: { DOWN: 'critical', CRITICAL: 'critical', WARNING: 'medium', UNKNOWN: 'unknown' } }],
    start_time: [['timestamp']],
    end_time: [['timestamp']],
    service: [['service_display_name']],
    hosts: [{ join: [['host_name'], ['host_address']] }],
    monitoring_tool: [{ constant: 'Icinga 2' }],
    fingerprint: [{ join: [['host_name'], ['service_name']] }]
  }
}
