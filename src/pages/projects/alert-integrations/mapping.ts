import type { FastifyInstance, FastifyReply } from 'fastify'
import { changeIntegration } from '../../../alerts/integrations/change-integration.ts'
import type { Integration } from '../../../alerts/integrations/integration.ts'
import type { Mapping } from '../../../alerts/parse/mapping.ts'
import { findPreset, mappingWith } from '../../../alerts/presets/presets.ts'
import { NotFound } from '../../../http/problems/problems.ts'
import { formOf, textArea } from '../../layout/field.ts'
import { flash } from '../../layout/flash.ts'
import { textOf } from '../../layout/forms.ts'
import { attributes, html } from '../../layout/html.ts'
import { requirePerson } from '../../sign-in/require-sign-in.ts'
import { catchValidation, type Problems } from '../page-context.ts'
import { type IntegrationContext, integrationContext, integrationPage } from './integration-page.ts'
import { mappingFields, readMappingFields, readMappingForm, readMappingJson } from './mapping-form.ts'
import { preview } from './preview.ts'

const path = '/projects/:id/alert_integrations/:integration(^\\d{1,15}$)/mapping'

/** Edits the mapping with the fields of a sample payload. */
export async function mappingPage(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app) }

  app.get(path, guard, async (request, reply) => {
    const context = await integrationContext(request)
    const { mapping, samplePayload, kind } = context.integration

    if (kind === 'on_call') throw new NotFound()

    return editor(reply, context, { mapping, text: samplePayload ?? '' })
  })

  app.post(path, guard, async (request, reply) => {
    const context = await integrationContext(request)
    const isSave = textOf(request, 'step') === 'save'
    const { problems } = await catchValidation(() => {
      const values = readMappingForm(request)

      return isSave ? changeIntegration(app.platform.fork(), context.admin, context.integration.id, values) : undefined
    })

    if (problems || !isSave) {
      return editor(problems ? reply.code(400) : reply, context, {
        mapping: readMappingFields(request),
        text: textOf(request, 'payload_example').trim(),
        problems,
        isUnsaved: !isSave
      })
    }
    flash(reply, 'The mapping is saved.')

    return reply.redirect(`${context.integrationUrl}/mapping`, 303)
  })

  app.post(`${path}/json`, guard, async (request, reply) => {
    const context = await integrationContext(request)
    const { integration, admin } = context
    const json = textOf(request, 'mapping_json')
    const { problems } = await catchValidation(() =>
      changeIntegration(app.platform.fork(), admin, integration.id, { mapping: readMappingJson(json) })
    )

    if (problems) {
      const draft = { mapping: integration.mapping, text: integration.samplePayload ?? '', json }

      return editor(reply.code(400), context, { ...draft, problems: { mapping_json: problems.payload_attribute_mappings! } })
    }
    flash(reply, 'The mapping is saved.')

    return reply.redirect(`${context.integrationUrl}/mapping`, 303)
  })
}

interface Draft {
  mapping: Mapping
  /** The sample payload. */
  text: string
  /** The mapping as the user wrote it. */
  json?: string
  problems?: Problems
  isUnsaved?: boolean
}

function editor(reply: FastifyReply, context: IntegrationContext, { mapping, text, json, problems = {}, isUnsaved }: Draft) {
  const sample = text && !problems.payload_example ? text : null
  const hasFields = sample !== null || Object.keys(mapping).length > 0

  return integrationPage(
    reply,
    context,
    '/mapping',
    html`
    ${problems.payload_attribute_mappings && html`<p class="problem" role="alert">${problems.payload_attribute_mappings}</p>`}
    <p>${explanation(context.integration)}</p>
    ${formOf(
      reply.request,
      { action: `${context.integrationUrl}/mapping` },
      html`
      ${textArea({
        name: 'payload_example',
        label: 'Sample payload',
        value: text,
        hint: 'Paste a payload of the tool, as JSON.',
        error: problems.payload_example,
        attributes: { class: 'code', rows: sample ? 8 : 12, spellcheck: 'false', placeholder: '{"event": {"name": "shop is down"}}' }
      })}
      <button class="plain" name="step" value="read">Read fields</button>
      ${
        hasFields &&
        html`
        <h2>Attributes</h2>
        <p class="hint">Attributes without a mapping are read ${context.integration.preset ? 'as the preset says' : 'from the member with the default name'}.</p>
        ${mappingFields(mapping, sample)}
        <button name="step" value="save">Save mapping</button> ${isUnsaved && html`<span class="hint">Not saved yet.</span>`}`
      }`
    )}
    ${sample && preview(sample, mappingWith(context.integration.preset, mapping))}
    ${jsonForm(reply, context, json ?? JSON.stringify(mapping, null, 2), problems.mapping_json)}`
  )
}

/** Rules have more members than selects could offer. */
function jsonForm(reply: FastifyReply, { integrationUrl }: IntegrationContext, json: string, error?: string) {
  const field = textArea({
    name: 'mapping_json',
    label: 'Mapping as JSON',
    value: json,
    hint: 'With rules: value tables for status and severity, constants, joined paths, templates and conditions. docs/alerts.md describes them.',
    error,
    attributes: { class: 'code', rows: 12, spellcheck: 'false' }
  })

  return html`
    <details${attributes({ open: error !== undefined })}>
      <summary>Edit as JSON…</summary>
      ${formOf(reply.request, { action: `${integrationUrl}/mapping/json` }, html`${field}<button>Save JSON</button>`)}
    </details>`
}

function explanation({ kind, preset }: Integration) {
  const sender = findPreset(preset)

  if (sender) return `The preset ${sender.label} reads every attribute. A mapping here replaces it for that attribute.`

  return kind === 'prometheus'
    ? 'Payloads of Alertmanager and Grafana need no mapping. A mapping reads attributes from other members of an item or of the payload.'
    : 'Payloads with the default members (title, description, severity …) need no mapping. For others, choose the member for each attribute.'
}
