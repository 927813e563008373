import type { FastifyRequest } from 'fastify'
import type { IntegrationKind } from '#alerts/integrations/integration.ts'
import { findPreset, presets } from '#alerts/presets/presets.ts'
import { checkbox, field, selectField } from '../layout/field.ts'
import { textOf } from '../layout/forms.ts'
import { html } from '../layout/html.ts'
import type { Problems } from '../projects/page-context.ts'

export interface IntegrationFields {
  name: string
  active: boolean
  preset: string | null
  apiUrl: string | null
  externalUrl: string | null
}

export function readIntegrationForm(request: FastifyRequest): IntegrationFields {
  const text = (name: string) => textOf(request, name).trim()

  const preset = findPreset(text('preset'))?.name ?? null

  return {
    name: text('name'),
    active: text('active') !== '',
    preset,
    apiUrl: text('api_url') || null,
    externalUrl: text('external_url') || null
  }
}

export function integrationFields(
  kind: IntegrationKind,
  { name, active, preset, apiUrl, externalUrl }: IntegrationFields,
  problems: Problems = {}
) {
  const address = { type: 'url', attributes: { placeholder: 'https://', inputmode: 'url' } }

  return html`
    ${problems.base && html`<p class="problem">${problems.base}</p>`}
    ${field({ name: 'name', label: 'Name', value: name, hint: 'The monitoring tool: shown with each of its alerts.', error: problems.name, isRequired: true, attributes: { maxlength: 255 } })}
    ${
      kind !== 'on_call' &&
      selectField({
        name: 'preset',
        label: 'Sender',
        value: preset ?? '',
        hint: 'Its alerts and recoveries are understood without a mapping. The page Connect shows how to configure it.',
        options: [['', 'another, or a mapping of your own'], ...presetOptions(kind, preset)]
      })
    }
    ${
      kind === 'on_call' &&
      field({
        ...address,
        name: 'external_url',
        label: 'URL of the on-call tool',
        value: externalUrl ?? '',
        error: problems.external_url,
        isRequired: true
      })
    }
    ${
      kind === 'prometheus' &&
      field({
        ...address,
        name: 'api_url',
        label: 'API base URL (optional)',
        value: apiUrl ?? '',
        hint: 'Deprecated: stored for API clients, and not used.',
        error: problems.api_url
      })
    }
    ${checkbox({ name: 'active', value: 'true', label: 'Active', hint: 'An inactive integration refuses all requests.', isChecked: active })}
    ${problems.active && html`<p class="error stray" id="active-error" role="alert">${problems.active}</p>`}`
}

export function presetOptions(kind: IntegrationKind, current: string | null) {
  const matching = presets.filter(preset => preset.kind === kind || preset.name === current)

  return matching.map(({ name, label }): [string, string] => [name, label])
}
