import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { NotFound } from '#api/problems/problems.ts'
import { redirect } from '#api/redirect.ts'
import type { AccountContext } from '#identity/sessions/sessions.ts'
import { AccessToken } from '#identity/tokens/access-token.ts'
import { listTokens } from '#identity/tokens/list-tokens.ts'
import { issuePersonalToken } from '#identity/tokens/personal-token.ts'
import { revokeToken } from '#identity/tokens/revoke-token.ts'
import { lastExpiry } from '#identity/tokens/token-expiry.ts'
import type { User } from '#identity/users/user.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { checkboxes, field, formOf, secretField } from '../layout/field.ts'
import { flash } from '../layout/flash.ts'
import { html } from '../layout/html.ts'
import { ago, day } from '../layout/time.ts'
import { loadAccount, requirePerson } from '../sign-in/require-sign-in.ts'
import { tokenScopeOptions } from './scope-texts.ts'
import { settingsPage } from './settings-page.ts'
import { dayOf, readTokenForm, type TokenForm } from './token-form.ts'

const path = '/-/profile/tokens'

export async function tokensPage(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app) }

  app.get(path, guard, async (request, reply) => {
    const { em, account } = await loadAccount(request)

    return showTokens(reply, await loadTokens(em, account))
  })

  app.post(path, guard, async (request, reply) => {
    const { em, account } = await loadAccount(request)
    const { user, actor, at } = account
    const form = readTokenForm(request, user, at)

    if (form.errors) return showTokens(reply.code(400), { ...(await loadTokens(em, account)), form })
    const { name, scopes, expiry } = form
    const { secret } = await issuePersonalToken(em, actor, user, { name, scopes, expires_at: expiry }, at)

    return showTokens(reply.code(201), { ...(await loadTokens(em, account)), created: { name, secret } })
  })

  app.post<{ Params: { id: string } }>(`${path}/:id(^\\d{1,15}$)/revocation`, guard, async (request, reply) => {
    const { em, account } = await loadAccount(request)
    const { user, actor, at } = account
    const token = await em.findOne(AccessToken, { ...ownTokens(user), id: Number(request.params.id), revokedAt: null })

    if (!token) throw new NotFound('Token')
    await revokeToken(em, actor, token, at)
    flash(reply, 'The token was revoked.')

    return redirect(reply, path)
  })
}

interface TokensView {
  tokens: AccessToken[]
  user: User
  at: Date
  form?: TokenForm
  created?: { name: string; secret: string }
}

async function loadTokens(em: EntityManager, { user, at }: AccountContext): Promise<TokensView> {
  const tokens = await listTokens(em, ownTokens(user), { state: 'active' }, at).list(100, 0)

  return { tokens, user, at }
}

/** Without impersonation tokens, which only admins see. */
function ownTokens(user: User) {
  return { user: user.id, kind: 'personal' as const }
}

function showTokens(reply: FastifyReply, { tokens, user, at, form, created }: TokensView) {
  return settingsPage(
    reply,
    path,
    html`
    <h1>Access tokens</h1>
    <p class="lead">A token lets a program use the API as you, within its scopes.</p>
    ${created && createdToken(created)}
    ${tokens.length > 0 ? html`<ul class="rows">${tokens.map(token => row(reply.request, token, at))}</ul>` : html`<p class="empty">You have no access tokens.</p>`}
    <h2>New token</h2>
    ${formOf(reply.request, { action: path }, tokenFields(user, at, form))}`
  )
}

function createdToken({ name, secret }: { name: string; secret: string }) {
  const hint = 'Copy it now: it is not shown again.'

  return html`<section class="made" role="status">${secretField({ name: 'token', label: `Your new token “${name}”`, value: secret, hint, isFocused: true })}</section>`
}

function row(request: FastifyRequest, { id, name, scopes, expiresAt, lastUsedAt }: AccessToken, now: Date) {
  return html`
    <li>
      <div>
        <p><strong>${name}</strong> ${scopes.map(scope => html`<span class="badge">${scope}</span> `)}</p>
        <p class="hint">${expiresAt ? html`expires ${day(expiresAt)}` : 'never expires'} · ${lastUsedAt ? html`last used ${ago(lastUsedAt, now)}` : 'never used'}</p>
      </div>
      ${formOf(request, { action: `${path}/${id}/revocation` }, html`<button class="plain" aria-label="Revoke ${name}">Revoke</button>`)}
    </li>`
}

function tokenFields(user: User, at: Date, { name, chosen, expiry, errors }: Partial<TokenForm> = {}) {
  const inDays = (days: number) => dayOf(new Date(at.getTime() + days * 86_400_000))

  return html`
    ${field({ name: 'name', label: 'Name', value: name, hint: 'Such as the program that uses it.', error: errors?.name, isRequired: true, attributes: { maxlength: 255 } })}
    ${field({
      name: 'expires_at',
      label: 'Expires on',
      type: 'date',
      value: expiry ?? inDays(30),
      hint: 'At midnight UTC.',
      error: errors?.expiry,
      isRequired: true,
      attributes: { min: inDays(1), max: dayOf(lastExpiry(at)), class: 'short' }
    })}
    ${checkboxes({
      name: 'scopes',
      legend: 'Scopes',
      options: tokenScopeOptions(user),
      chosen: chosen ?? [],
      error: errors?.scopes
    })}
    <button>Create token</button>`
}
