import type { IntegrationKind } from '../integrations/integration.ts'
import type { Mapping } from '../parse/mapping.ts'
import type { Sender } from '../parse/parsed-alert.ts'
import { azure } from './azure.ts'
import { cloudwatch } from './cloudwatch.ts'
import { datadog } from './datadog.ts'
import { gcp } from './gcp.ts'
import { grafana8 } from './grafana-8.ts'
import { icinga2 } from './icinga2.ts'
import { newRelic } from './new-relic.ts'
import { opsgenie } from './opsgenie.ts'
import { pagerduty } from './pagerduty.ts'
import type { Preset } from './preset.ts'
import { sentry } from './sentry.ts'
import { uptimeKuma } from './uptime-kuma.ts'
import { zabbix } from './zabbix.ts'

/** The labels that rules of Prometheus usually have. `alertname`, `cluster` and `namespace` are labels of the alert as well. */
const ofLabels: Mapping = {
  service: [['labels', 'service']],
  service_environment_name: [
    ['labels', 'environment'],
    ['labels', 'env'],
    ['labels', 'cluster']
  ],
  hosts: [
    ['labels', 'instance'],
    ['labels', 'node']
  ]
}

/** Senders of the metrics payload. */
const metrics = [
  ['alertmanager', 'Alertmanager'],
  ['prometheus', 'Prometheus (through Alertmanager)'],
  ['grafana', 'Grafana']
].map(([name, label]): Preset => ({ name: name!, label: label!, kind: 'prometheus', mapping: ofLabels }))

/** By label. */
export const presets: readonly Preset[] = [
  ...metrics,
  azure,
  cloudwatch,
  datadog,
  gcp,
  grafana8,
  icinga2,
  newRelic,
  opsgenie,
  pagerduty,
  sentry,
  uptimeKuma,
  zabbix
].sort((a, b) => (a.label < b.label ? -1 : 1))

export function findPreset(name: string | null | undefined) {
  return presets.find(preset => preset.name === name)
}

/** An integration's own mapping of an attribute replaces the preset's. */
export function mappingWith(preset: string | null | undefined, mapping: Mapping): Mapping {
  return { ...findPreset(preset)?.mapping, ...mapping }
}

/** Without a preset, an integration for metrics expects metrics, and another one anything. */
export function senderOf(kind: IntegrationKind, name: string | null): Sender {
  const preset = findPreset(name)

  return { isMetrics: (preset?.kind ?? kind) === 'prometheus', titles: preset?.mapping.title }
}
