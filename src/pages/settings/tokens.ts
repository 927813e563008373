import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { Time } from '#api/parameters/time.ts'
import { redirect } from '#api/redirect.ts'
import type { AccountContext } from '#identity/sessions/sessions.ts'
import { AccessToken } from '#identity/tokens/access-token.ts'
import { listTokens } from '#identity/tokens/list-tokens.ts'
import { issuePersonalToken } from '#identity/tokens/personal-token.ts'
import { revokeToken } from '#identity/tokens/revoke-token.ts'
import { lastExpiry } from '#identity/tokens/token-expiry.ts'
import type { User } from '#identity/users/user.ts'
import { NotFound } from '#lib/refusals.ts'
import { toTime } from '#lib/time.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { formOf, secretField } from '../layout/field.ts'
import { flash } from '../layout/flash.ts'
import { Form, readForm } from '../layout/form.ts'
import { html } from '../layout/html.ts'
import { ago, day } from '../layout/time.ts'
import { loadAccount, requireOneself } from '../sign-in/require-sign-in.ts'
import { tokenScopeOptions } from './scope-texts.ts'
import { settingsPage } from './settings-page.ts'

const path = '/-/profile/tokens'
const dayMs = 86_400_000

export async function tokensPage(app: FastifyInstance) {
  const guard = { onRequest: requireOneself(app) }

  app.get(path, guard, async (request, reply) => {
    const { em, account } = await loadAccount(request)

    return showTokens(reply, await loadTokens(em, account))
  })

  app.post(path, guard, async (request, reply) => {
    const { em, account } = await loadAccount(request)
    const { user, actor, at } = account
    const form = readForm(request, tokenFormFor(user))

    checkExpiry(form, at)
    const saved = await form.save(body => issuePersonalToken(em, actor, user, body, at))

    if (!saved) return showTokens(reply.code(400), { ...(await loadTokens(em, account)), form })
    const created = { name: form.body.name, secret: saved.result.secret }

    return showTokens(reply.code(201), { ...(await loadTokens(em, account)), created })
  })

  app.post<{ Params: { id: string } }>(`${path}/:id(^\\d{1,15}$)/revocation`, guard, async (request, reply) => {
    const { em, account } = await loadAccount(request)
    const { user, actor, at } = account
    const token = await em.findOne(AccessToken, { ...ownTokens(user), id: Number(request.params.id), revokedAt: null })

    if (!token) throw new NotFound('Token')
    await revokeToken(em, actor, token, at)
    flash(reply, 'Token revoked.')

    return redirect(reply, path)
  })
}

/** With the scopes that the user may give. */
function tokenFormFor(user: User) {
  return Type.Object({
    name: Type.String({ minLength: 1, maxLength: 255 }),
    expires_at: Time(),
    scopes: Type.Array(Type.Enum(tokenScopeOptions(user).map(([scope]) => scope)), { minItems: 1 })
  })
}

type TokenFields = Form<ReturnType<typeof tokenFormFor>>

function checkExpiry(form: TokenFields, at: Date) {
  const expiresAt = toTime(form.text('expires_at'))

  if (!(expiresAt && expiresAt > at && expiresAt <= lastExpiry(at))) {
    form.problems.expires_at = `Choose a date from tomorrow to ${dayOf(lastExpiry(at))}.`
  }
}

/** The value of a date input. */
function dayOf(at: Date) {
  return at.toISOString().slice(0, 10)
}

interface TokensView {
  tokens: AccessToken[]
  user: User
  at: Date
  form?: TokenFields
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
    ${tokenForm(reply.request, at, form ?? new Form(tokenFormFor(user), { expires_at: dayOf(new Date(at.getTime() + 30 * dayMs)) }), user)}`
  )
}

function createdToken({ name, secret }: { name: string; secret: string }) {
  const hint = 'Copy it now; it will not be shown again.'

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

function tokenForm(request: FastifyRequest, at: Date, form: TokenFields, user: User) {
  return form.render(
    request,
    { action: path },
    html`
    ${form.field('name', { label: 'Name', hint: 'Such as the program that uses it.', invalid: 'Enter a name of at most 255 characters.' })}
    ${form.field('expires_at', {
      label: 'Expires on',
      type: 'date',
      hint: 'At midnight UTC.',
      isRequired: true,
      attributes: { min: dayOf(new Date(at.getTime() + dayMs)), max: dayOf(lastExpiry(at)), class: 'short' }
    })}
    ${form.checkboxes('scopes', { legend: 'Scopes', options: tokenScopeOptions(user), invalid: 'Choose at least one scope.' })}
    <button>Create token</button>`
  )
}
