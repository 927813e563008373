import type { FastifyReply } from 'fastify'
import type { Mapping } from '#alerts/parse/mapping.ts'
import { parsePayload } from '#alerts/parse/parse-payload.ts'
import type { ParsedAlert } from '#alerts/parse/parsed-alert.ts'
import { mappingWith } from '#alerts/presets/presets.ts'
import { Form } from '../layout/form.ts'
import { attributes, html } from '../layout/html.ts'
import { severityBadge } from '../layout/severity-badge.ts'
import { timeIn } from '../layout/time.ts'
import { presetOptions } from './integration-form.ts'
import { type IntegrationContext, integrationPage } from './integration-page.ts'
import { mappingFields } from './mapping-fields.ts'
import { type MappingForm, MappingJson, type MappingValues } from './mapping-form.ts'

interface Draft {
  values: MappingValues
  form: Form<typeof MappingForm>
  /** The mapping as JSON that was refused. */
  json?: Form<typeof MappingJson>
  isUnsaved?: boolean
}

/** The sender first, then a sample payload and the attributes, and beside them what they give. */
export function mappingPage(reply: FastifyReply, context: IntegrationContext, draft: Draft) {
  const { values, form, json } = draft
  const isInvalid = form.error('payload_example') !== undefined
  const sample = isInvalid ? null : values.samplePayload

  return integrationPage(
    reply,
    context,
    '/mapping',
    html`
    ${form.render(
      reply.request,
      { action: `${context.integrationUrl}/mapping`, class: 'mapping', isPreviewed: true },
      html`
      <div>
        ${senderField(context, form)}
        ${sampleField(context, form)}
        <button class="plain" name="step" value="read">Preview</button>
      </div>
      <aside class="preview" id="preview" data-previewed aria-label="Preview" aria-live="polite">
        ${isInvalid ? html`<p class="error">The sample payload is not valid.</p>` : preview(sample, mappingWith(values.preset, values.mapping))}
      </aside>
      <div>
        <section id="attributes" data-previewed>
          <h2>Attributes</h2>
          <p class="hint">Unmapped attributes use ${values.preset ? 'the preset' : 'the field with the default name'}.</p>
          <div class="attributes">${mappingFields({ form, preset: values.preset, sample })}</div>
        </section>
        <p class="save"><button name="step" value="save">Save mapping</button> ${draft.isUnsaved && html`<span class="hint">Not saved yet.</span>`}</p>
      </div>`
    )}
    ${jsonForm(reply, context, json)}`
  )
}

function senderField({ integration: { kind } }: IntegrationContext, form: Form<typeof MappingForm>) {
  return form.select('preset', {
    label: 'Sender',
    hint: 'A preset reads every attribute of its sender. A mapping below overrides it for that attribute.',
    options: [
      ['', kind === 'prometheus' ? 'Alertmanager, Grafana, or a mapping' : 'the default fields, or a mapping'],
      ...presetOptions(kind, form.text('preset'))
    ]
  })
}

function sampleField({ integrationUrl }: IntegrationContext, form: Form<typeof MappingForm>) {
  return html`
    ${form.textArea('payload_example', {
      label: 'Sample payload',
      hint: 'Paste a JSON payload from the tool.',
      attributes: { class: 'code', rows: 8, spellcheck: 'false', placeholder: '{"event": {"name": "shop is down"}}' }
    })}
    <p class="last-payload"><a href="${integrationUrl}/mapping?sample=last">Use the payload of the latest alert</a></p>`
}

/** Rules have more members than selects could offer. */
function jsonForm(reply: FastifyReply, { integration, integrationUrl }: IntegrationContext, refused?: Form<typeof MappingJson>) {
  const form = refused ?? new Form(MappingJson, { mapping_json: JSON.stringify(integration.mapping, null, 2) })
  const field = form.textArea('mapping_json', {
    label: 'Mapping as JSON',
    hint: 'Supports rules: value tables for status and severity, constants, joined paths, templates and conditions. See docs/alerts.md.',
    reasons: ['payload_attribute_mappings'],
    attributes: { class: 'code', rows: 12, spellcheck: 'false' }
  })

  return html`
    <details${attributes({ open: refused !== undefined })}>
      <summary>Edit as JSON…</summary>
      ${form.render(reply.request, { action: `${integrationUrl}/mapping/json` }, html`${field}<button>Save JSON</button>`)}
    </details>`
}

/** The alerts that the sample payload gives with the mapping. */
function preview(sample: string | null, mapping: Mapping) {
  if (!sample) return html`<h2>Preview</h2><p class="hint">Enter a sample payload to see the resulting alert.</p>`
  const { alerts, skipped } = parsePayload(sample, { receivedAt: new Date(), mapping, isFingerprinting: true })
  const [first] = alerts

  return html`
    <h2>Preview</h2>
    ${first ? alert(first) : skipped.length === 0 && html`<p>The mapping skips this payload: it changes nothing.</p>`}
    ${alerts.length > 1 && html`<p class="hint">And ${alerts.length - 1} more.</p>`}
    ${skipped.map(({ position, reason }) => html`<p class="error">Item ${position + 1} is not an alert: ${reason}.</p>`)}`
}

function alert(report: ParsedAlert) {
  const { title, severity, startedAt, endedAt, hosts } = report
  const attributes = {
    Description: report.description,
    Started: timeIn('full', startedAt),
    Ended: endedAt && timeIn('full', endedAt),
    Service: report.service,
    'Monitoring tool': report.monitoringTool,
    Hosts: hosts.join(', '),
    Environment: report.environment,
    Fingerprint: report.fingerprint && html`<code>${report.fingerprint.slice(0, 12)}</code>`
  }

  return html`
    <p class="outcome">${severityBadge(severity)} <strong>${title}</strong></p>
    <p>${endedAt ? 'Resolves the open alert with this fingerprint.' : 'Opens an alert, or counts as another event of the open one.'}</p>
    <dl class="pairs">${Object.entries(attributes).map(([name, value]) => value && html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`
}
