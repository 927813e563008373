import type { Preset } from './preset.ts'

const states = { ALARM: 'triggered', OK: 'resolved', INSUFFICIENT_DATA: 'skipped' }

/** Alarms by EventBridge, by SNS, and by SNS with raw message delivery. */
export const cloudwatch: Preset = {
  name: 'cloudwatch',
  label: 'Amazon CloudWatch (EventBridge or SNS)',
  kind: 'http',
  mapping: {
    status: [
      { constant: 'skipped', when: { path: ['detail-type'], is: ['CloudWatch Alarm Configuration Change'] } },
      { path: ['detail', 'state', 'value'], values: states },
      { path: ['Message', 'NewStateValue'], values: states },
      { path: ['NewStateValue'], values: states }
    ],
    title: [['detail', 'alarmName'], ['Message', 'AlarmName'], ['AlarmName'], ['Subject']],
    description: [['detail', 'state', 'reason'], ['Message', 'NewStateReason'], ['NewStateReason'], ['Message']],
    start_time: [['detail', 'state', 'timestamp'], ['Message', 'StateChangeTime'], ['StateChangeTime']],
    end_time: [['detail', 'state', 'timestamp'], ['Message', 'StateChangeTime'], ['StateChangeTime']],
    service: [
      ['detail', 'configuration', 'metrics', 0, 'metricStat', 'metric', 'namespace'],
      ['Message', 'Trigger', 'Namespace'],
      ['Trigger', 'Namespace']
    ],
    monitoring_tool: [{ constant: 'Amazon CloudWatch' }],
    fingerprint: [['resources', 0], ['Message', 'AlarmArn'], ['AlarmArn']]
  }
}
