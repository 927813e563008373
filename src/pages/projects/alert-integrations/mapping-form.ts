import type { FastifyRequest } from 'fastify'
import { readMapping } from '../../../alerts/integrations/read-mapping.ts'
import { listFields, type PayloadField, pathLabel, sampleError } from '../../../alerts/integrations/sample-payload.ts'
import { type Attribute, attributes, type Mapping, type Path } from '../../../alerts/parse/mapping.ts'
import { ValidationFailed } from '../../../http/problems/problems.ts'
import { selectField } from '../../layout/field.ts'
import { chosenOf, textOf } from '../../layout/forms.ts'
import { type Html, html } from '../../layout/html.ts'

const attributeTexts: Record<Attribute, { name: string; hint?: string }> = {
  title: { name: 'Title' },
  description: { name: 'Description' },
  start_time: { name: 'Start time', hint: 'When it is missing, the time of arrival counts.' },
  end_time: { name: 'End time', hint: 'Where the payload has one, the alert is resolved.' },
  service: { name: 'Service' },
  monitoring_tool: { name: 'Monitoring tool' },
  hosts: { name: 'Hosts' },
  severity: { name: 'Severity' },
  service_environment_name: { name: 'Environment' },
  fingerprint: { name: 'Fingerprint', hint: 'Payloads with the same one are the same alert, counted again or resolved.' }
}
const places = ['From', 'or else from', 'or third from', 'or fourth from', 'or fifth from']
const fewestPlaces = 3

/** What was pasted and what was chosen; what is wrong is thrown. */
export function readMappingForm(request: FastifyRequest) {
  const samplePayload = textOf(request, 'payload_example').trim()
  const problem = samplePayload && sampleError(samplePayload)

  if (problem) throw new ValidationFailed({ payload_example: [problem] })

  return { samplePayload: samplePayload || null, mapping: chosenMapping(request) }
}

/** As it was chosen, be the rest as it may. */
export function chosenMapping(request: FastifyRequest): Mapping {
  const chosen = attributes.map(attribute => {
    const paths = chosenOf(request, attribute).filter(path => path !== '')

    return [attribute, [...new Set(paths)].map(readPath)]
  })

  return readMapping(Object.fromEntries(chosen))
}

/** What one does not see chosen somewhere cannot be broken here: it comes from a list of ours. */
function readPath(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** For each attribute the fields of the sample to choose from, and another where the first is not there. */
export function mappingFields(mapping: Mapping, sample: string | null) {
  const fields = sample ? listFields(sample) : []

  return attributes.map(attribute => {
    const paths = mapping[attribute] ?? []
    const shown = places.slice(0, Math.max(fewestPlaces, paths.length + 1))
    const { name, hint } = attributeTexts[attribute]

    return html`
      <fieldset class="mapped">
        <legend>${name}</legend>
        ${hint && html`<p class="hint">${hint}</p>`}
        <div class="pair">${shown.map((label, place) => candidate(attribute, { label, place, path: paths[place], fields }))}</div>
      </fieldset>`
  })
}

interface Candidate {
  label: string
  place: number
  path?: Path
  fields: PayloadField[]
}

function candidate(attribute: Attribute, { label, place, path, fields }: Candidate): Html {
  const value = path && JSON.stringify(path)
  const options = fields.map(({ path, label, value }): [string, string] => [JSON.stringify(path), `${label}: ${value}`])
  const isElsewhere = value !== undefined && !options.some(([known]) => known === value)
  const none = place === 0 ? `as usual (${attribute})` : '—'

  return selectField({
    id: `${attribute}-${place}`,
    name: attribute,
    label,
    value,
    options: [['', none], ...(isElsewhere ? [[value, `${pathLabel(path!)} (not in the sample)`] as [string, string]] : []), ...options]
  })
}
