import type { FastifyReply } from 'fastify'
import Type from 'typebox'
import type { Passkey } from '#identity/passkeys/passkey.ts'
import { relyingPartyOf } from '#identity/passkeys/relying-party.ts'
import { listPasskeys, PasskeyName } from '#identity/sessions/passkeys.ts'
import type { AccountContext } from '#identity/sessions/sessions.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { Form } from '../layout/form.ts'
import { html } from '../layout/html.ts'
import { passkeyForm, withoutPasskeys } from '../layout/passkey-form.ts'
import { ago, day } from '../layout/time.ts'
import { CurrentPassword, passwordField } from './password-field.ts'
import { settingsPage } from './settings-page.ts'

export const passkeysPath = '/-/profile/passkeys'
const path = passkeysPath

export const NewPasskey = Type.Object({ ...PasskeyName.properties, ...CurrentPassword.properties })

export async function showPasskeys(reply: FastifyReply, em: EntityManager, account: AccountContext, form: Form<typeof NewPasskey>) {
  const { request, server } = reply
  const { user, at } = account
  const passkeys = await listPasskeys(em, user)
  const { baseUrl } = server.platform.config

  return settingsPage(
    reply,
    path,
    html`
    <h1>Passkeys</h1>
    <p class="lead">A passkey signs you in with your fingerprint, face, PIN or security key, without a password. After your password, it is a second factor.</p>
    ${
      passkeys.length > 0
        ? html`<ul class="rows">${passkeys.map(passkey => row(passkey, at))}</ul>`
        : html`<p class="empty">You have no passkeys.</p>`
    }
    ${
      relyingPartyOf({ baseUrl })
        ? html`
          <h2>Add a passkey</h2>
          <div data-passkeys>${form.render(
            request,
            { action: path },
            html`
            ${form.field('name', { label: 'Name', hint: 'Where you keep it, such as “Phone” or “Blue security key”.', isRequired: true })}
            ${await passwordField(request, form)}
            ${!user.hasTwoFactor() && html`<p class="hint">This turns on two-factor authentication. All other sessions are signed out.</p>`}
            <button>Continue</button>`
          )}</div>
          ${withoutPasskeys()}`
        : html`<p>Passkeys cannot be added here: browsers offer them only for a host name with HTTPS, and this site is at <strong>${baseUrl}</strong>.</p>`
    }`
  )
}

export function showCreation(reply: FastifyReply, name: string, options: object) {
  return settingsPage(
    reply,
    path,
    html`
    <h1>Create the passkey</h1>
    <p class="lead">Your browser asks where to save the passkey <strong>${name}</strong>.</p>
    ${passkeyForm(
      reply.request,
      { action: `${path}/registration`, options },
      html`<input type="hidden" name="name" value="${name}"><p class="actions"><button autofocus>Create passkey</button> <a class="button quiet" href="${path}">Cancel</a></p>`
    )}`
  )
}

interface Forms {
  name: Form<typeof PasskeyName>
  /** A form that was refused. */
  removal?: Form<typeof CurrentPassword>
}

export async function showPasskey(
  reply: FastifyReply,
  { id, name, createdAt }: Passkey,
  { name: naming, removal = new Form(CurrentPassword) }: Forms
) {
  const { request } = reply

  return settingsPage(
    reply,
    path,
    html`
    <p class="trail"><a href="${path}">Passkeys</a> <span aria-hidden="true">/</span> ${name}</p>
    <h1>${name}</h1>
    <p class="lead">Added ${day(createdAt)}.</p>
    ${naming.render(
      request,
      { action: `${path}/${id}` },
      html`${naming.field('name', { label: 'Name', isRequired: true })}<button>Rename</button>`
    )}
    <section class="danger">
      <h2>Remove the passkey</h2>
      <p>It no longer signs you in. If it is your last second factor, two-factor authentication is turned off, and the recovery codes are deleted.</p>
      ${removal.render(request, { action: `${path}/${id}/removal` }, html`${await passwordField(request, removal)}<button>Remove</button>`)}
    </section>`
  )
}

function row({ id, name, createdAt, lastUsedAt }: Passkey, now: Date) {
  return html`
    <li>
      <div>
        <p><a href="${path}/${id}"><strong>${name}</strong></a></p>
        <p class="hint">added ${day(createdAt)} · ${lastUsedAt ? html`last used ${ago(lastUsedAt, now)}` : 'not used yet'}</p>
      </div>
    </li>`
}
