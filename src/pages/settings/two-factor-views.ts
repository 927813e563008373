import type { FastifyReply } from 'fastify'
import Type from 'typebox'
import { renderSVG } from 'uqr'
import { base32, otpauthUri } from '#identity/sessions/totp.ts'
import type { User } from '#identity/users/user.ts'
import { secretField } from '../layout/field.ts'
import { Form } from '../layout/form.ts'
import { html, trusted } from '../layout/html.ts'
import { day } from '../layout/time.ts'
import { CurrentPassword, passwordField } from './password-field.ts'
import { settingsPage } from './settings-page.ts'

const path = '/-/profile/two_factor'

type PasswordForm = Form<typeof CurrentPassword>

export const Confirmation = Type.Object({ code: Type.String() })

interface Enrolment {
  user: User
  codesLeft: number
  form?: Form<typeof Confirmation>
}

export async function showEnrolment(reply: FastifyReply, { user, codesLeft, form = new Form(Confirmation) }: Enrolment) {
  const { host } = new URL(reply.server.platform.config.baseUrl)
  const secret = Buffer.from(user.totpSecret!)
  const uri = otpauthUri(secret, `${user.username}@${host}`)

  return settingsPage(
    reply,
    path,
    html`
    <h1>Two-factor authentication <span class="badge">not confirmed</span></h1>
    <p class="lead">Scan the QR code with an authenticator app, then enter the code that the app shows.</p>
    <figure class="qr" role="img" aria-label="QR code for an authenticator app">${trusted(renderSVG(uri, { border: 3, ecc: 'M' }))}</figure>
    <p><a href="${uri}">Open in an app on this device</a></p>
    ${secretField({ name: 'secret', label: 'Or enter this key', value: base32(secret).replace(/.{4}(?=.)/g, '$& ') })}
    ${form.render(
      reply.request,
      { action: `${path}/confirmation` },
      html`
      ${form.field('code', {
        label: 'Code',
        hint: user.hasTwoFactor() ? 'Six digits.' : 'Six digits. All other sessions are signed out.',
        isRequired: true,
        autocomplete: 'one-time-code',
        attributes: { inputmode: 'numeric', class: 'short', autofocus: true }
      })}
      <button>Enable</button>`
    )}
    ${user.hasTwoFactor() && (await recoveryCodes(reply, codesLeft))}`
  )
}

interface State {
  user: User
  codesLeft: number
  /** Forms that were refused. */
  setup?: PasswordForm | undefined
  codes?: PasswordForm | undefined
  removal?: PasswordForm | undefined
}

export async function showTwoFactor(reply: FastifyReply, { user, codesLeft, setup, codes, removal }: State) {
  const isOn = user.hasTwoFactor()
  const { totpEnabledAt, passkeyCount } = user

  return settingsPage(
    reply,
    path,
    html`
    <h1>Two-factor authentication ${isOn ? html`<span class="badge good">on</span>` : html`<span class="badge">off</span>`}</h1>
    <p class="lead">${isOn ? 'Signing in takes your password and a second factor.' : 'With a second factor, a stolen password is not enough to sign in.'}</p>
    <h2>Authenticator app</h2>
    ${totpEnabledAt ? html`<p>Enabled on ${day(totpEnabledAt)}. Its codes are a second factor.</p>` : await setupForm(reply, setup)}
    <h2>Passkeys</h2>
    <p>${passkeyCount > 0 ? html`<strong>${passkeyCount}</strong> added. Each also signs you in alone, without the password.` : 'None. A passkey is also a way to sign in without a password.'} <a href="/-/profile/passkeys">Manage passkeys</a></p>
    ${isOn && (await recoveryCodes(reply, codesLeft, codes))}
    ${totpEnabledAt && (await removalForm(reply, passkeyCount > 0, removal))}`
  )
}

async function setupForm({ request }: FastifyReply, form: PasswordForm = new Form(CurrentPassword)) {
  return html`
    <p>Codes from an app on your phone are a second factor.</p>
    ${form.render(request, { action: path }, html`${await passwordField(request, form)}<button>Set up</button>`)}`
}

async function recoveryCodes({ request }: FastifyReply, codesLeft: number, form: PasswordForm = new Form(CurrentPassword)) {
  return html`
    <h2>Recovery codes</h2>
    <p><strong>${codesLeft}</strong> of 10 are unused. New codes replace the old ones.</p>
    ${form.render(
      request,
      { action: `${path}/recovery_codes` },
      html`${await passwordField(request, form, { id: 'for-codes' })}<button class="plain">Generate new codes</button>`
    )}`
}

async function removalForm({ request }: FastifyReply, hasPasskeys: boolean, form: PasswordForm = new Form(CurrentPassword)) {
  return html`
    <section class="danger">
      <h2>${hasPasskeys ? 'Remove the authenticator app' : 'Disable two-factor authentication'}</h2>
      <p>${hasPasskeys ? 'Your passkeys and recovery codes stay.' : 'Signing in then takes only your password. The recovery codes are deleted.'}</p>
      ${form.render(
        request,
        { action: `${path}/removal` },
        html`${await passwordField(request, form, { id: 'for-removal' })}<button>${hasPasskeys ? 'Remove' : 'Disable'}</button>`
      )}
    </section>`
}

export function showRecoveryCodes(reply: FastifyReply, codes: string[]) {
  return settingsPage(
    reply,
    path,
    html`
    <h1>Your recovery codes</h1>
    <p class="lead">After your password, each code signs you in once when you have no second factor at hand. Store them in your password manager: they are not shown again.</p>
    <ul class="codes">${codes.map(code => html`<li><code>${code}</code></li>`)}</ul>
    <p><a class="button" href="${path}">I have saved the codes</a></p>`
  )
}
