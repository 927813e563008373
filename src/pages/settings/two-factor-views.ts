import type { FastifyReply } from 'fastify'
import { renderSVG } from 'uqr'
import { base32, enrolmentUri } from '../../identity/two-factor/totp.ts'
import type { User } from '../../identity/users/user.ts'
import { field, formOf, secretField } from '../layout/field.ts'
import { html, trusted } from '../layout/html.ts'
import { day } from '../layout/time.ts'
import { passwordField } from './password-field.ts'
import { settingsPage } from './settings-page.ts'

const path = '/-/profile/two_factor'

export function off(reply: FastifyReply, error?: string) {
  return settingsPage(
    reply,
    path,
    html`
    <h1>Two-factor <span class="badge">off</span></h1>
    <p class="lead">With a second factor, whoever gets hold of your password still cannot sign in: it also takes a code that an app on your phone shows.</p>
    ${formOf(reply.request, { action: path }, html`${passwordField({ error })}<button>Set up</button>`)}`
  )
}

export function enrolment(reply: FastifyReply, user: User, error?: string) {
  const { host } = new URL(reply.server.platform.config.baseUrl)
  const secret = Buffer.from(user.totpSecret!)
  const uri = enrolmentUri(secret, `${user.username}@${host}`)

  return settingsPage(
    reply,
    path,
    html`
    <h1>Two-factor <span class="badge">not on yet</span></h1>
    <p class="lead">Scan the picture with an authenticator app, then enter the code that it shows.</p>
    <figure class="qr" role="img" aria-label="QR code for an authenticator app">${trusted(renderSVG(uri, { border: 3, ecc: 'M' }))}</figure>
    <p><a href="${uri}">Open it in an app on this device</a></p>
    ${secretField({ name: 'secret', label: 'Or type this in', value: base32(secret).replace(/.{4}(?=.)/g, '$& ') })}
    ${formOf(
      reply.request,
      { action: `${path}/confirmation` },
      html`
      ${field({
        name: 'code',
        label: 'Code',
        hint: 'Six digits. Signs you out everywhere but here.',
        error,
        isRequired: true,
        autocomplete: 'one-time-code',
        with: { inputmode: 'numeric', class: 'short', autofocus: true }
      })}
      <button>Turn on</button>`
    )}`
  )
}

export function on(reply: FastifyReply, since: Date, codesLeft: number, problems: { codes?: string; removal?: string } = {}) {
  return settingsPage(
    reply,
    path,
    html`
    <h1>Two-factor <span class="badge good">on</span></h1>
    <p class="lead">Since ${day(since)}. Signing in takes your password and a code.</p>
    <h2>Recovery codes</h2>
    <p>${codesLeft === 0 ? 'None is left.' : html`<strong>${codesLeft}</strong> of 10 are left.`} New ones take the place of the old.</p>
    ${formOf(
      reply.request,
      { action: `${path}/recovery_codes` },
      html`${passwordField({ id: 'for-codes', error: problems.codes })}<button class="plain">Make new codes</button>`
    )}
    <section class="danger">
      <h2>Turn it off</h2>
      <p>Then your password alone is enough again, and the recovery codes are gone.</p>
      ${formOf(
        reply.request,
        { action: `${path}/removal` },
        html`${passwordField({ id: 'for-removal', error: problems.removal })}<button>Turn off</button>`
      )}
    </section>`
  )
}

export function recoveryCodes(reply: FastifyReply, codes: string[]) {
  return settingsPage(
    reply,
    path,
    html`
    <h1>Your recovery codes</h1>
    <p class="lead">Each lets you sign in once when you do not have your phone. Keep them where you keep your passwords: they are shown only now.</p>
    <ul class="codes">${codes.map(code => html`<li><code>${code}</code></li>`)}</ul>
    <p><a class="button" href="${path}">I have kept them</a></p>`
  )
}
