import { listFields, type PayloadField, pathLabel } from '#alerts/integrations/sample-payload.ts'
import { type Attribute, attributes, type Mapping, type Source } from '#alerts/parse/mapping.ts'
import { findPreset } from '#alerts/presets/presets.ts'
import type { Problems } from '../layout/attempt.ts'
import { selectField } from '../layout/field.ts'
import { type Html, html, attributes as htmlAttributes } from '../layout/html.ts'

const attributeTexts: Record<Attribute, { name: string; hint?: string }> = {
  title: { name: 'Title' },
  description: { name: 'Description' },
  start_time: { name: 'Start time', hint: 'Defaults to the time of arrival.' },
  end_time: { name: 'End time', hint: 'A payload with an end time resolves the alert.' },
  service: { name: 'Service' },
  monitoring_tool: { name: 'Monitoring tool' },
  hosts: { name: 'Hosts' },
  severity: { name: 'Severity' },
  service_environment_name: { name: 'Environment' },
  status: { name: 'Status', hint: 'Must be triggered, resolved or skipped. Map other values in the rule.' },
  fingerprint: { name: 'Fingerprint', hint: 'Payloads with the same fingerprint belong to one alert.' }
}
const sourceLabels = ['From', 'or else from', 'or third from', 'or fourth from', 'or fifth from']
const minSources = 3

interface Fields {
  mapping: Mapping
  preset: string | null
  /** A valid payload, whose fields are the options. */
  sample: string | null
  problems: Problems
}

/** For each attribute, selects for its sources in the order they are tried. Rules stay as they are. */
export function mappingFields({ mapping, preset, sample, problems }: Fields) {
  const fields = sample ? listFields(sample) : []
  const presetMapping = findPreset(preset)?.mapping ?? {}

  return attributes.map(attribute => {
    const sources = mapping[attribute] ?? []
    const shown = sourceLabels.slice(0, Math.max(minSources, sources.length + 1))
    const { name, hint } = attributeTexts[attribute]
    const error = problems[attribute]
    const none = defaultLabel(attribute, presetMapping[attribute]?.[0])

    return html`
      <fieldset${htmlAttributes({ class: 'mapped', 'aria-describedby': error && `${attribute}-error` })}>
        <legend>${name}</legend>
        ${error && html`<p class="error" id="${attribute}-error">${error}</p>`}
        ${hint && html`<p class="hint">${hint}</p>`}
        <div class="pair">${shown.map((label, index) => sourceSelect(attribute, { label, index, source: sources[index], fields, none }))}</div>
      </fieldset>`
  })
}

/** Where the attribute is read from without a mapping. */
function defaultLabel(attribute: Attribute, source: Source | undefined) {
  if (!source) return `default (${attribute})`

  return Array.isArray(source) ? `preset (${pathLabel(source)})` : 'preset'
}

interface SourceSelect {
  label: string
  index: number
  source?: Source
  fields: PayloadField[]
  none: string
}

function sourceSelect(attribute: Attribute, { label, index, source, fields, none }: SourceSelect): Html {
  const value = source && JSON.stringify(source)
  const options = fields.map(({ path, label, value }): [string, string] => [JSON.stringify(path), `${label}: ${value}`])
  const isMissing = value !== undefined && !options.some(([option]) => option === value)

  return selectField({
    id: `${attribute}-${index}`,
    name: attribute,
    label,
    value,
    options: [['', index === 0 ? none : '—'], ...(isMissing ? [[value, sourceLabel(source!)] as [string, string]] : []), ...options]
  })
}

function sourceLabel(source: Source) {
  return Array.isArray(source) ? `${pathLabel(source)} (not in the sample)` : `rule ${JSON.stringify(source)}`
}
