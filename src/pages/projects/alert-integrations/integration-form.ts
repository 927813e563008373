import type { FastifyRequest } from 'fastify'
import type { IntegrationKind } from '../../../alerts/integrations/integration.ts'
import { checkbox, field } from '../../layout/field.ts'
import { textOf } from '../../layout/forms.ts'
import { html } from '../../layout/html.ts'
import type { Problems } from '../page-context.ts'

export interface IntegrationFields {
  name: string
  active: boolean
  apiUrl: string | null
  externalUrl: string | null
}

export function readIntegrationForm(request: FastifyRequest): IntegrationFields {
  const text = (name: string) => textOf(request, name).trim()

  return { name: text('name'), active: text('active') !== '', apiUrl: text('api_url') || null, externalUrl: text('external_url') || null }
}

export function integrationFields(
  kind: IntegrationKind,
  { name, active, apiUrl, externalUrl }: IntegrationFields,
  problems: Problems = {}
) {
  const address = { type: 'url', attributes: { placeholder: 'https://', inputmode: 'url' } }

  return html`
    ${problems.base && html`<p class="problem">${problems.base}</p>`}
    ${field({ name: 'name', label: 'Name', value: name, hint: 'The monitoring tool: shown with each of its alerts.', error: problems.name, isRequired: true, attributes: { maxlength: 255 } })}
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
