import type { Entry } from '#alerts/parse/payload-labels.ts'
import type { presentImage } from '#alerts/present-alert-details.ts'
import { findPreset, senderOf } from '#alerts/presets/presets.ts'
import { isWebUrl } from '#lib/web-url.ts'
import { folded, section } from '../errors/event/section.ts'
import { externalLink, withLinks } from '../layout/external-link.ts'
import { type Html, html } from '../layout/html.ts'
import { timeIn } from '../layout/time.ts'
import { copyBlock } from '../setup/copy-block.ts'
import type { AlertView } from './alert-view.ts'

/** What the alert says: attributes, labels, annotations, other fields, images and the payload. */
export function alertSections(view: AlertView) {
  const { read, details } = view
  const annotations = read.annotations.filter(([, value]) => value !== details.title && value !== details.description)

  return html`
    ${misfit(view)}
    ${facts(view)}
    ${pairSection('labels', 'Labels', read.labels)}
    ${pairSection('annotations', 'Annotations', annotations)}
    ${pairSection('fields', 'Other fields', read.fields)}
    ${metricImages(details.metric_images)}
    ${section({ id: 'payload', title: 'Payload' }, folded('Show the payload', copyBlock({ id: 'payload-text', name: 'JSON', text: JSON.stringify(details.payload, undefined, 2) })))}`
}

/** Alertmanager's format is exact: what lacks a part of it is read as any JSON. */
function misfit({ alert, integration, projectUrl, isMaintainer }: AlertView) {
  if (!integration || alert.kind !== 'generic' || !senderOf(integration.kind, integration.preset ?? null).isMetrics) return undefined
  const url = `${projectUrl}/alert_integrations/${integration.id}`

  return html`
    <div class="warning" role="status">
      <p><strong>This could not be read as a payload of ${findPreset(integration.preset)?.label ?? 'Alertmanager'}.</strong> Title, severity and labels may be missing.</p>
      <p><a href="${url}/connect">Check the configuration of the tool</a>${isMaintainer && html`, or <a href="${url}/mapping">map the fields</a>`}.</p>
    </div>`
}

function facts({ alert, details }: AlertView) {
  const rows: [string, Html | string | false | null | undefined][] = [
    ['Service', details.service],
    ['Hosts', details.hosts.join(', ')],
    ['Environment', details.service_environment_name],
    ['Started', timeIn('full', alert.startedAt)],
    ['Ended', alert.endedAt && timeIn('full', alert.endedAt)],
    // What sends groups of alerts is named by its integration.
    ['Monitoring tool', (alert.kind === 'generic' || !details.integration) && details.monitoring_tool],
    ['Integration', details.integration?.name],
    // An address is a button in the header.
    ['Runbook', !isWebUrl(details.runbook ?? '') && details.runbook && html`${withLinks(details.runbook)}`],
    ['Metric', details.metric_expression && html`<code>${details.metric_expression}</code>`]
  ]

  return html`<dl class="pairs alert-facts">${rows.filter(([, value]) => value).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`
}

function pairSection(id: string, title: string, entries: Entry[]) {
  if (entries.length === 0) return undefined

  return section(
    { id, title },
    html`<dl class="pairs">${entries.map(([name, value]) => html`<div><dt>${name}</dt><dd>${foldedValue(value)}</dd></div>`)}</dl>`
  )
}

const maxLength = 240

/** Long values are closed after their beginning. */
function foldedValue(value: string) {
  const text = value.includes('\n') ? html`<pre tabindex="0">${withLinks(value)}</pre>` : html`${withLinks(value)}`

  if (value.length <= maxLength) return text

  return folded(html`${value.slice(0, maxLength / 2)}…`, text, { name: 'long-value' })
}

/** Pictures of graphs that users attached. */
function metricImages(images: ReturnType<typeof presentImage>[]) {
  if (images.length === 0) return undefined

  return section(
    { id: 'images', title: 'Metric images' },
    html`
    <div class="metric-images">${images.map(
      ({ file_path: path, filename, url, url_text: text }) => html`
      <figure><a href="${path}"><img src="${path}" alt="${filename}" loading="lazy"></a><figcaption>${filename} ${url && externalLink(url, text || url)}</figcaption></figure>`
    )}</div>`
  )
}
