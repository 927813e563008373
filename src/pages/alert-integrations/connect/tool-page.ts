import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { findLatestOf } from '#alerts/integrations/find-latest.ts'
import { formOf, secretField } from '#pages/layout/field.ts'
import { Form } from '#pages/layout/form.ts'
import { html } from '#pages/layout/html.ts'
import { ago } from '#pages/layout/time.ts'
import { copyBlock } from '#pages/setup/copy-block.ts'
import { type IntegrationContext, integrationPage } from '../integration-page.ts'
import type { Recipe } from './sender-recipes.ts'

export const keyPlaceholder = 'YOUR-KEY'

export const KeyForm = Type.Object({ key: Type.String({ maxLength: 255 }) })

export interface Tools {
  url: string
  /** Known for a while after it was created or pasted. */
  key?: string
  /** Those of the integration's sender, or all. */
  isSender: boolean
  recipes: Recipe[]
  /** With a wrong key. */
  form?: Form<typeof KeyForm>
}

/** The tools to choose from, or how to configure the chosen one. */
export async function showConnect(reply: FastifyReply, context: IntegrationContext, tools: Tools, chosen?: Recipe) {
  const { integrationUrl } = context
  const { request } = reply

  return integrationPage(
    reply,
    context,
    '/connect',
    html`
    ${tools.key ? knownKey(tools.key) : askForKey(request, context, tools, chosen)}
    ${chosen ? recipe(request, context, tools, chosen) : html`<h2>Choose a tool</h2>${cards(integrationUrl, tools)}`}
    ${await arrival(context)}`
  )
}

/** The name of a tool in the address of its page. */
export function slugOf({ title }: Recipe) {
  return title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
}

function knownKey(key: string) {
  const hint = 'Copy it now; only a hash of it is stored. For half an hour, it is filled in below in this browser.'

  return html`<section class="made" role="status">${secretField({ name: 'key', label: 'Your authorization key', value: key, hint })}<button class="quiet small copy-key" type="button" data-scripted data-copy="#key">Copy</button></section>`
}

/** The key is not stored: users paste it to fill it in. */
function askForKey(request: FastifyRequest, { integrationUrl }: IntegrationContext, { form = new Form(KeyForm) }: Tools, chosen?: Recipe) {
  return form.render(
    request,
    { action: `${integrationUrl}/connect${chosen ? `/${slugOf(chosen)}` : ''}` },
    html`
    ${form.field('key', {
      label: 'Authorization key',
      hint: `Paste it to replace ${keyPlaceholder} below. Only a hash of it is stored.`,
      autocomplete: 'off',
      attributes: { spellcheck: 'false' }
    })}
    <button class="plain">Fill in</button>`
  )
}

function cards(integrationUrl: string, { recipes }: Tools) {
  return html`
    <ul class="cards">${recipes.map(one => html`<li><a href="${integrationUrl}/connect/${slugOf(one)}"><strong>${one.title}</strong></a><p class="hint">${one.summary}</p></li>`)}</ul>`
}

function recipe(request: FastifyRequest, context: IntegrationContext, { url, isSender, recipes }: Tools, chosen: Recipe) {
  const { integrationUrl } = context
  const toolUrl = `${integrationUrl}/connect/${slugOf(chosen)}`

  return html`
    ${!isSender && html`<p class="all-tools"><a class="button plain small" href="${integrationUrl}/connect">All tools</a></p>`}
    <section class="recipe">
      <h2>${chosen.title}</h2>
      ${presetOf(request, context, chosen, toolUrl)}
      ${chosen.steps.map(step => html`<p>${step}</p>`)}
      ${[{ name: 'URL', text: url }, ...chosen.blocks.filter(({ name }) => name !== 'URL')].map((block, n) => copyBlock({ id: `block-${n}`, ...block }))}
      <h2>Test it</h2>
      <p>Send an alert from the tool, or a test alert from here. It is an ordinary alert, which you can resolve afterwards.</p>
      ${formOf(request, { action: `${toolUrl}/test_alert` }, html`<button class="plain">Send a test alert</button>`)}
      ${isSender && recipes.length > 1 && html`<p class="hint">See also: ${recipes.filter(one => one !== chosen).map(one => html`<a href="${integrationUrl}/connect/${slugOf(one)}">${one.title}</a> `)}</p>`}
    </section>`
}

/** Without its preset, the payloads of the tool are not understood. */
function presetOf(request: FastifyRequest, { integration, isMaintainer }: IntegrationContext, { preset, title }: Recipe, toolUrl: string) {
  if (preset === undefined || preset === integration.preset) return undefined

  return html`
    <section class="problem">
      <p>This integration does not read the payloads of ${title} yet: it has no preset for them.</p>
      ${isMaintainer ? formOf(request, { action: `${toolUrl}/preset` }, html`<button>Use the preset ${title}</button>`) : html`<p>A maintainer can choose it.</p>`}
    </section>`
}

/** Becomes a link by itself when the first alert is stored. */
async function arrival({ em, project, integration, integrationUrl, projectUrl }: IntegrationContext) {
  const latest = await findLatestOf(em, project.id, integration.id)

  return html`
    <section id="first-alert" class="arrival" data-live="3" aria-live="polite">
      ${
        latest
          ? html`<p>Receiving alerts. Latest: <a href="${projectUrl}/alerts/${latest.iid}"><strong>${latest.title}</strong></a>, ${ago(latest.lastSeenAt)}.</p>`
          : html`<p><strong>Waiting for the first alert…</strong> <a href="${integrationUrl}/connect">Check again</a></p>`
      }
    </section>`
}
