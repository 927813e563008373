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

export async function showDisabled(reply: FastifyReply, form: PasswordForm = new Form(CurrentPassword)) {
  const password = await passwordField(reply, form, { path })

  return settingsPage(
    reply,
    path,
    html`
    <h1>Two-factor authentication <span class="badge">off</span></h1>
    <p class="lead">Signing in then also takes a code from an authenticator app, so a stolen password is not enough.</p>
    ${form.render(reply.request, { action: path }, html`${password}<button>Set up</button>`)}`
  )
}

export function showEnrolment(reply: FastifyReply, user: User, form: Form<typeof Confirmation> = new Form(Confirmation)) {
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
        hint: 'Six digits. All other sessions are signed out.',
        isRequired: true,
        autocomplete: 'one-time-code',
        attributes: { inputmode: 'numeric', class: 'short', autofocus: true }
      })}
      <button>Enable</button>`
    )}`
  )
}

interface Enabled {
  since: Date
  codesLeft: number
  /** A form that was refused. */
  codes?: PasswordForm
  removal?: PasswordForm
}

export async function showEnabled(reply: FastifyReply, { since, codesLeft, codes, removal }: Enabled) {
  const [forCodes, forRemoval] = [codes, removal].map(form => form ?? new Form(CurrentPassword)) as [PasswordForm, PasswordForm]
  const passwordForCodes = await passwordField(reply, forCodes, { id: 'for-codes', path })
  const passwordForRemoval = await passwordField(reply, forRemoval, { id: 'for-removal', path })

  return settingsPage(
    reply,
    path,
    html`
    <h1>Two-factor authentication <span class="badge good">on</span></h1>
    <p class="lead">Enabled on ${day(since)}. Signing in takes your password and a code.</p>
    <h2>Recovery codes</h2>
    <p><strong>${codesLeft}</strong> of 10 are unused. New codes replace the old ones.</p>
    ${forCodes.render(
      reply.request,
      { action: `${path}/recovery_codes` },
      html`${passwordForCodes}<button class="plain">Generate new codes</button>`
    )}
    <section class="danger">
      <h2>Disable two-factor authentication</h2>
      <p>Signing in then takes only your password. The recovery codes are deleted.</p>
      ${forRemoval.render(reply.request, { action: `${path}/removal` }, html`${passwordForRemoval}<button>Disable</button>`)}
    </section>`
  )
}

export function showRecoveryCodes(reply: FastifyReply, codes: string[]) {
  return settingsPage(
    reply,
    path,
    html`
    <h1>Your recovery codes</h1>
    <p class="lead">Each code signs you in once without your phone. Store them in your password manager: they are not shown again.</p>
    <ul class="codes">${codes.map(code => html`<li><code>${code}</code></li>`)}</ul>
    <p><a class="button" href="${path}">I have saved the codes</a></p>`
  )
}
