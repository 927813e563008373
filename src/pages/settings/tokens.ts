import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { NotFound } from '../../http/problems/problems.ts'
import type { AccessToken } from '../../identity/tokens/access-token.ts'
import { issueToken } from '../../identity/tokens/issue-token.ts'
import { findToken, listTokens, personalScopes, scopesFor } from '../../identity/tokens/personal-token.ts'
import { revokeToken } from '../../identity/tokens/revoke-token.ts'
import { lastExpiry } from '../../identity/tokens/token-expiry.ts'
import { checkboxes, field, formOf, secretField } from '../layout/field.ts'
import { flash } from '../layout/flash.ts'
import { html } from '../layout/html.ts'
import { ago, day } from '../layout/time.ts'
import { meOf, requirePerson } from '../sign-in/require-sign-in.ts'
import { settingsPage } from './settings-page.ts'
import { dayOf, readTokenForm, type TokenForm } from './token-form.ts'

const path = '/-/profile/tokens'

/** The keys that somebody gives to their programs. */
export async function tokensPage(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app) }

  app.get(path, guard, async (request, reply) => tokens(reply, await seenBy(request)))

  app.post(path, guard, async (request, reply) => {
    const { em, user, actor, at } = await meOf(request)
    const form = readTokenForm(request, scopesFor(user), at)

    if (form.problems) return tokens(reply.code(400), { ...(await seenBy(request)), form })
    const { name, scopes, expiry } = form
    const { secret } = await issueToken(em, actor, { user, kind: 'personal' }, { name, scopes, expires_at: expiry }, at)

    return tokens(reply.code(201), { ...(await seenBy(request)), made: { name, secret } })
  })

  app.post<{ Params: { id: string } }>(`${path}/:id(^\\d{1,15}$)/revocation`, guard, async (request, reply) => {
    const { em, user, actor, at } = await meOf(request)

    const token = await findToken(em, user, Number(request.params.id))

    if (!token) throw new NotFound('Token')
    await revokeToken(em, actor, token, at)
    flash(reply, 'The token is revoked.')

    return reply.redirect(path, 303)
  })
}

interface Seen {
  list: AccessToken[]
  scopes: string[]
  at: Date
  form?: TokenForm
  made?: { name: string; secret: string }
}

async function seenBy(request: FastifyRequest): Promise<Seen> {
  const { em, user, at } = await meOf(request)

  return { list: await listTokens(em, user, at), scopes: scopesFor(user), at }
}

function tokens(reply: FastifyReply, { list, scopes, at, form, made }: Seen) {
  return settingsPage(
    reply,
    path,
    html`
    <h1>Access tokens</h1>
    <p class="lead">A token lets a program use the API as you, within its scopes.</p>
    ${made && announce(made)}
    ${list.length > 0 ? html`<ul class="rows">${list.map(token => row(reply.request, token, at))}</ul>` : html`<p class="empty">You have none.</p>`}
    <h2>New token</h2>
    ${formOf(reply.request, { action: path }, newToken(scopes, at, form))}`
  )
}

function announce({ name, secret }: { name: string; secret: string }) {
  const hint = 'Copy it now: it is not shown again.'

  return html`<section class="made" role="status">${secretField({ name: 'token', label: `Your new token ‘${name}’`, value: secret, hint, isNews: true })}</section>`
}

function row(request: FastifyRequest, { id, name, scopes, expiresAt, lastUsedAt }: AccessToken, now: Date) {
  return html`
    <li>
      <div>
        <p><strong>${name}</strong> ${scopes.map(scope => html`<span class="badge">${scope}</span> `)}</p>
        <p class="hint">${expiresAt ? html`expires ${day(expiresAt)}` : 'never expires'} · ${lastUsedAt ? html`used ${ago(lastUsedAt, now)}` : 'never used'}</p>
      </div>
      ${formOf(request, { action: `${path}/${id}/revocation` }, html`<button class="plain" aria-label="Revoke ${name}">Revoke</button>`)}
    </li>`
}

function newToken(scopes: string[], at: Date, { name, chosen, expiry, problems }: Partial<TokenForm> = {}) {
  const inDays = (days: number) => dayOf(new Date(at.getTime() + days * 86_400_000))

  return html`
    ${field({ name: 'name', label: 'Name', value: name, hint: 'What it is for.', error: problems?.name, isRequired: true, with: { maxlength: 255 } })}
    ${field({
      name: 'expires_at',
      label: 'Expires on',
      type: 'date',
      value: expiry ?? inDays(30),
      hint: 'At midnight UTC.',
      error: problems?.expiry,
      isRequired: true,
      with: { min: inDays(1), max: dayOf(lastExpiry(at)), class: 'short' }
    })}
    ${checkboxes({
      name: 'scopes',
      legend: 'Scopes',
      options: scopes.map(scope => [scope, personalScopes[scope] ?? '']),
      chosen: chosen ?? [],
      error: problems?.scopes
    })}
    <button>Make token</button>`
}
