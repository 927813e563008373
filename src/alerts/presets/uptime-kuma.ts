import type { Preset } from './preset.ts'

/** The webhook's default JSON. A test notification has neither a heartbeat nor a monitor. */
export const uptimeKuma: Preset = {
  name: 'uptime-kuma',
  label: 'Uptime Kuma',
  kind: 'http',
  mapping: {
    // 2 is pending, 3 is maintenance.
    status: [{ path: ['heartbeat', 'status'], values: { 0: 'triggered', 1: 'resolved', '*': 'skipped' } }],
    title: [{ template: '{monitor.name} is down' }, ['msg']],
    description: [['heartbeat', 'msg'], ['msg']],
    start_time: [['heartbeat', 'time']],
    end_time: [['heartbeat', 'time']],
    service: [['monitor', 'name']],
    hosts: [
      ['monitor', 'hostname'],
      ['monitor', 'url']
    ],
    monitoring_tool: [{ constant: 'Uptime Kuma' }],
    fingerprint: [['monitor', 'id'], ['msg']]
  }
}
