import type { Preset } from './preset.ts'

/** The parameters of the recipe's media type. Its dates have no time zone, so the time of receipt counts. */
export const zabbix: Preset = {
  name: 'zabbix',
  label: 'Zabbix',
  kind: 'http',
  mapping: {
    status: [
      // Acknowledgements and comments.
      { constant: 'skipped', when: { path: ['event_update_status'], is: ['1'] } },
      { path: ['event_value'], values: { 0: 'resolved', 1: 'triggered' } }
    ],
    title: [['event_name']],
    description: [{ template: '{trigger_description}\n{event_opdata}' }, ['trigger_description'], ['event_opdata']],
    severity: [{ path: ['event_nseverity'], values: { 5: 'critical', 4: 'high', 3: 'medium', 2: 'low', 1: 'info', 0: 'unknown' } }],
    service: [['host_group']],
    hosts: [['host_name']],
    monitoring_tool: [{ constant: 'Zabbix' }],
    fingerprint: [['event_id']]
  }
}
