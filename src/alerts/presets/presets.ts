import type { Mapping } from '../parse/mapping.ts'
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

/** Senders of the metrics payload, which needs no mapping. */
const metrics = [
  ['alertmanager', 'Alertmanager'],
  ['prometheus', 'Prometheus (through Alertmanager)'],
  ['grafana', 'Grafana']
].map(([name, label]): Preset => ({ name: name!, label: label!, kind: 'prometheus', mapping: {} }))

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
