import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Integration } from '../../../alerts/integrations/integration.ts'
import { NotFound } from '../../../http/problems/problems.ts'
import { hashSecret } from '../../../identity/secrets.ts'
import { Role } from '../../../projects/members/member.ts'
import { field, formOf, secretField } from '../../layout/field.ts'
import { textOf } from '../../layout/forms.ts'
import { html } from '../../layout/html.ts'
import { requirePerson } from '../../sign-in/require-sign-in.ts'
import { type IntegrationContext, intakeUrl, integrationContext, integrationPage } from './integration-page.ts'
import { recipesFor } from './recipes.ts'
import type { Recipe } from './sender-recipes.ts'

const path = '/projects/:id/alert_integrations/:integration(^\\d{1,15}$)/connect'
const placeholder = 'YOUR-KEY'

/** Configurations of monitoring tools to copy, with the URL and key filled in. */
export async function connectPage(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app) }

  app.get(path, guard, async (request, reply) => {
    const context = await integrationContext(request, Role.developer)

    if (context.integration.kind === 'on_call') throw new NotFound()

    return renderConnect(reply, context)
  })

  app.post(path, guard, async (request, reply) => {
    const context = await integrationContext(request, Role.developer)
    const key = textOf(request, 'key').trim()

    return isKeyOf(context.integration, key)
      ? renderConnect(reply, context, { key })
      : renderConnect(reply.code(400), context, { wrong: key })
  })
}

interface ConnectOptions {
  key?: string
  /** A wrong key from the form. */
  wrong?: string
  isNew?: boolean
}

export function renderConnect(reply: FastifyReply, context: IntegrationContext, { key, wrong, isNew }: ConnectOptions = {}) {
  const url = intakeUrl(context)
  const { kind, preset } = context.integration
  const recipes = recipesFor(kind, { url, key: key ?? placeholder }, preset)

  return integrationPage(
    reply,
    context,
    '/connect',
    html`
    ${key && isNew && newKey(key)}
    ${secretField({ name: 'url', label: 'URL', value: url })}
    ${!key && askForKey(reply, context, wrong)}
    <nav class="jump-links" aria-label="Recipes">${recipes.map(({ title }) => html`<a href="#${anchor(title)}">${title}</a>`)}</nav>
    ${recipes.map(renderRecipe)}
    <p>Does it work? <a href="${context.integrationUrl}/test">Send a test alert.</a></p>`
  )
}

function newKey(key: string) {
  const hint = 'Copy it now: only a hash of it is stored, so it is not shown again. It is filled in below.'

  return html`<section class="made" role="status">${secretField({ name: 'key', label: 'Your authorization key', value: key, hint, isFocused: true })}</section>`
}

/** The key is not stored: users paste it to fill it in. */
function askForKey(reply: FastifyReply, { integrationUrl }: IntegrationContext, wrong?: string) {
  return formOf(
    reply.request,
    { action: `${integrationUrl}/connect` },
    html`
    ${field({
      name: 'key',
      label: 'Authorization key',
      value: wrong,
      hint: `Paste it to replace ${placeholder} below. Only a hash of it is stored.`,
      error: (wrong !== undefined && 'This is not the key of this integration. A maintainer can reset it.') || undefined,
      autocomplete: 'off',
      attributes: { spellcheck: 'false', maxlength: 255 }
    })}
    <button class="plain">Fill in</button>`
  )
}

function renderRecipe({ title, steps, blocks }: Recipe) {
  return html`
    <section class="recipe" aria-labelledby="${anchor(title)}">
      <h2 id="${anchor(title)}">${title}</h2>
      ${steps.map(step => html`<p>${step}</p>`)}
      ${blocks.map(({ name, text }) => html`<figure><figcaption>${name}</figcaption><pre tabindex="0" aria-label="${name}">${text}</pre></figure>`)}
    </section>`
}

function anchor(title: string) {
  return title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
}

function isKeyOf({ tokenHash }: Integration, key: string) {
  return timingSafeEqual(hashSecret(key), tokenHash)
}
