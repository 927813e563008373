import Type from 'typebox'
import type { IntegrationKind } from '#alerts/integrations/integration.ts'
import { NewIntegrationBody } from '#alerts/integrations/integration-schemas.ts'
import { presets } from '#alerts/presets/presets.ts'
import type { Form } from '../layout/form.ts'
import { html } from '../layout/html.ts'

export const IntegrationForm = Type.Pick(NewIntegrationBody, ['name', 'active', 'preset', 'api_url', 'external_url'])
export type IntegrationFields = Form<typeof IntegrationForm>

const address = { type: 'url', attributes: { placeholder: 'https://', inputmode: 'url' } }

/** The tool has been chosen on the page before. */
export function newIntegrationFields(kind: IntegrationKind, form: IntegrationFields) {
  return html`
    ${nameField(form)}
    <input type="hidden" name="preset" value="${form.text('preset')}">
    ${onCallField(kind, form)}
    ${activeField(form)}`
}

export function integrationFields(kind: IntegrationKind, form: IntegrationFields) {
  return html`
    ${nameField(form)}
    ${
      kind !== 'on_call' &&
      form.select('preset', {
        label: 'Sender',
        hint: 'Its alerts and recoveries need no mapping. The Connect page shows how to configure it.',
        options: [['', 'Other (custom mapping)'], ...presetOptions(kind, form.text('preset'))]
      })
    }
    ${onCallField(kind, form)}
    ${
      kind === 'prometheus' &&
      form.text('api_url') !== '' &&
      form.field('api_url', { ...address, label: 'API base URL (optional)', hint: 'Deprecated. Stored for API clients, but not used.' })
    }
    ${activeField(form)}`
}

function nameField(form: IntegrationFields) {
  const hint = 'The monitoring tool. Shown with each of its alerts.'

  return form.field('name', { label: 'Name', hint, isRequired: true, attributes: { maxlength: 255 } })
}

function onCallField(kind: IntegrationKind, form: IntegrationFields) {
  return kind === 'on_call' && form.field('external_url', { ...address, label: 'On-call tool URL', isRequired: true })
}

function activeField(form: IntegrationFields) {
  const conflict = form.error('active')

  return html`
    ${form.checkbox('active', { label: 'Active', hint: 'An inactive integration refuses all requests.' })}
    ${conflict && html`<p class="error stray" id="active-error" role="alert">${conflict}</p>`}`
}

export function presetOptions(kind: IntegrationKind, current: string | null) {
  const matching = presets.filter(preset => preset.kind === kind || preset.name === current)

  return matching.map(({ name, label }): [string, string] => [name, label])
}
