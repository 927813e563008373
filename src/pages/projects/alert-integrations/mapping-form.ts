import type { FastifyRequest } from 'fastify'
import { readMapping } from '../../../alerts/integrations/read-mapping.ts'
import { listFields, type PayloadField, pathLabel, sampleError } from '../../../alerts/integrations/sample-payload.ts'
import { type Attribute, attributes, type Mapping, type Source } from '../../../alerts/parse/mapping.ts'
import { ValidationFailed } from '../../../http/problems/problems.ts'
import { isObject } from '../../../lib/json.ts'
import { selectField } from '../../layout/field.ts'
import { chosenOf, textOf } from '../../layout/forms.ts'
import { type Html, html } from '../../layout/html.ts'

const attributeTexts: Record<Attribute, { name: string; hint?: string }> = {
  title: { name: 'Title' },
  description: { name: 'Description' },
  start_time: { name: 'Start time', hint: 'By default, the time of arrival.' },
  end_time: { name: 'End time', hint: 'A payload with an end time resolves the alert.' },
  service: { name: 'Service' },
  monitoring_tool: { name: 'Monitoring tool' },
  hosts: { name: 'Hosts' },
  severity: { name: 'Severity' },
  service_environment_name: { name: 'Environment' },
  status: { name: 'Status', hint: 'The values triggered, resolved and skipped; a value table of a rule translates others.' },
  fingerprint: { name: 'Fingerprint', hint: 'Payloads with the same fingerprint belong to one alert.' }
}
const sourceLabels = ['From', 'or else from', 'or third from', 'or fourth from', 'or fifth from']
const minSources = 3

/** Throws when the sample or the mapping is invalid. */
export function readMappingForm(request: FastifyRequest) {
  const samplePayload = textOf(request, 'payload_example').trim()
  const problem = samplePayload && sampleError(samplePayload)

  if (problem) throw new ValidationFailed({ payload_example: [problem] })

  return { samplePayload: samplePayload || null, mapping: readMappingFields(request) }
}

/** Ignores the sample. */
export function readMappingFields(request: FastifyRequest): Mapping {
  const entries = attributes.map(attribute => {
    const sources = chosenOf(request, attribute).filter(source => source !== '')

    return [attribute, [...new Set(sources)].map(parseOrUndefined)]
  })

  return readMapping(Object.fromEntries(entries))
}

/** A whole mapping, with rules. */
export function readMappingJson(text: string): Mapping {
  const mapping = parseOrUndefined(text)

  if (!isObject(mapping))
    throw new ValidationFailed({ payload_attribute_mappings: ['must be a JSON object, such as {"title": [["event", "name"]]}'] })

  return readMapping(mapping)
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** For each attribute, selects for its sources in the order they are tried. Rules stay as they are. */
export function mappingFields(mapping: Mapping, sample: string | null) {
  const fields = sample ? listFields(sample) : []

  return attributes.map(attribute => {
    const sources = mapping[attribute] ?? []
    const shown = sourceLabels.slice(0, Math.max(minSources, sources.length + 1))
    const { name, hint } = attributeTexts[attribute]

    return html`
      <fieldset class="mapped">
        <legend>${name}</legend>
        ${hint && html`<p class="hint">${hint}</p>`}
        <div class="pair">${shown.map((label, index) => sourceSelect(attribute, { label, index, source: sources[index], fields }))}</div>
      </fieldset>`
  })
}

interface SourceSelect {
  label: string
  index: number
  source?: Source
  fields: PayloadField[]
}

function sourceSelect(attribute: Attribute, { label, index, source, fields }: SourceSelect): Html {
  const value = source && JSON.stringify(source)
  const options = fields.map(({ path, label, value }): [string, string] => [JSON.stringify(path), `${label}: ${value}`])
  const isMissing = value !== undefined && !options.some(([option]) => option === value)
  const none = index === 0 ? `default (${attribute})` : '—'

  return selectField({
    id: `${attribute}-${index}`,
    name: attribute,
    label,
    value,
    options: [['', none], ...(isMissing ? [[value, sourceLabel(source!)] as [string, string]] : []), ...options]
  })
}

function sourceLabel(source: Source) {
  return Array.isArray(source) ? `${pathLabel(source)} (not in the sample)` : `rule ${JSON.stringify(source)}`
}
