import { isPath } from '#alerts/integrations/read-rule.ts'
import { listFields, type PayloadField, pathLabel } from '#alerts/integrations/sample-payload.ts'
import { type Attribute, attributes, type Source } from '#alerts/parse/mapping.ts'
import { findPreset } from '#alerts/presets/presets.ts'
import { selectField } from '../layout/field.ts'
import type { Form } from '../layout/form.ts'
import { type Html, html, attributes as htmlAttributes } from '../layout/html.ts'
import { type MappingForm, parseOrUndefined } from './mapping-form.ts'

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
  form: Form<typeof MappingForm>
  preset: string | null
  /** A valid payload, whose fields are the options. */
  sample: string | null
}

/** For each attribute, selects for its sources in the order they are tried. Rules stay as they are. */
export function mappingFields({ form, preset, sample }: Fields) {
  const fields = sample ? listFields(sample) : []
  const presetMapping = findPreset(preset)?.mapping ?? {}

  return attributes.map(attribute => {
    const sources = form.list(attribute)
    const shown = sourceLabels.slice(0, Math.max(minSources, sources.length + 1))
    const { name, hint } = attributeTexts[attribute]
    const error = form.error(attribute)
    const none = defaultLabel(attribute, presetMapping[attribute]?.[0])

    return html`
      <fieldset${htmlAttributes({ class: 'mapped', 'aria-describedby': error && `${attribute}-error` })}>
        <legend>${name}</legend>
        ${error && html`<p class="error" id="${attribute}-error">${error}</p>`}
        ${hint && html`<p class="hint">${hint}</p>`}
        <div class="pair">${shown.map((label, index) => sourceSelect(attribute, { label, index, value: sources[index], fields, none }))}</div>
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
  /** As JSON. */
  value?: string
  fields: PayloadField[]
  none: string
}

function sourceSelect(attribute: Attribute, { label, index, value, fields, none }: SourceSelect): Html {
  const options = fields.map(({ path, label, value }): [string, string] => [JSON.stringify(path), `${label}: ${value}`])
  const isMissing = value !== undefined && !options.some(([option]) => option === value)

  return selectField({
    id: `${attribute}-${index}`,
    name: attribute,
    label,
    value,
    options: [['', index === 0 ? none : '—'], ...(isMissing ? [[value, sourceLabel(value)] as [string, string]] : []), ...options]
  })
}

function sourceLabel(json: string) {
  const source = parseOrUndefined(json)

  return isPath(source) ? `${pathLabel(source)} (not in the sample)` : `rule ${json}`
}
