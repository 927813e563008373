import type { FastifyReply } from 'fastify'
import type { Application } from '#oauth/applications/application.ts'
import type { AuthorizationRequest } from '#oauth/authorize/authorization-request.ts'
import { formOf } from '../layout/field.ts'
import { html } from '../layout/html.ts'
import { page } from '../layout/page.ts'
import { day } from '../layout/time.ts'
import { scopeTexts } from '../settings/scope-texts.ts'

/** Asks the user whether the application may act for them. */
export function consentPage(reply: FastifyReply, { application, scopes, redirectUri, prompts }: AuthorizationRequest, query: string) {
  const { username } = reply.request.caller!.user

  return page(
    reply,
    { title: `Authorize ${application.name}`, width: 'narrow', redirectsAway: true },
    html`
    <section class="card">
      <h1>Authorize ${application.name}?</h1>
      <p class="lead">${originOf(application)}</p>
      <p><strong>${application.name}</strong> wants to use Tocsin as <strong>${username}</strong>. It asks for these scopes:</p>
      <ul class="scopes">
        ${scopes.map(scope => html`<li>${scopeTexts[scope] ?? scope} <code>${scope}</code></li>`)}
      </ul>
      <p class="hint">You will continue to <strong>${placeOf(redirectUri)}</strong>. You can revoke the access at any time in your settings.</p>
      ${formOf(
        reply.request,
        { action: `/oauth/authorize/decision?${query}`, class: 'decision' },
        html`
        <button class="plain" name="decision" value="deny">Deny</button>
        <button name="decision" value="approve">Authorize</button>`
      )}
      <p class="hint"><a href="/oauth/authorize?${withAccountChoice(query, prompts)}">Use another account</a></p>
    </section>`
  )
}

/** Users choose the names of applications, so the page says who registered it. */
function originOf({ owner, isDynamic, createdAt }: Application) {
  if (isDynamic) return html`It registered itself on ${day(createdAt)}. Tocsin does not know its developers.`
  if (!owner) return html`An admin of this instance registered it on ${day(createdAt)}.`

  return html`<strong>${owner.name}</strong> (${owner.username}) registered it on ${day(createdAt)}.`
}

/** The host; the scheme of an application on this device. */
function placeOf(redirectUri: string) {
  const { protocol, host } = new URL(redirectUri)

  return host || `${protocol}//`
}

function withAccountChoice(query: string, prompts: string[]) {
  const parameters = new URLSearchParams(query)

  parameters.set('prompt', prompts.includes('consent') ? 'select_account consent' : 'select_account')

  return parameters.toString()
}
