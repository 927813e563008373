import type { FastifyRequest } from 'fastify'
import { checkMailServer, completePassword, findMailServer, MailServerBody } from '#instance-settings/change-mail-server.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { decrypt, encrypt } from '#platform/database/encryption.ts'
import type { MailSecurity } from '#platform/mail/smtp-url.ts'
import { formOf } from '../layout/field.ts'
import { Form, type SentForm } from '../layout/form.ts'
import { textOf } from '../layout/forms.ts'
import { html } from '../layout/html.ts'

export type MailForm = Form<typeof MailServerBody>

const securities: [MailSecurity, string][] = [
  ['starttls', 'STARTTLS (usually port 587)'],
  ['tls', 'TLS from the start (usually port 465)'],
  ['none', 'None: only within a network you trust']
]

const blank = { port: 587, security: 'starttls' as const }

/** The form with the stored server, without its password. */
export async function storedForm(em: EntityManager, { config: { smtp } }: FastifyRequest['server']['platform']) {
  const stored = smtp.isGiven ? null : await findMailServer(em)

  return new Form(MailServerBody, stored ?? blank)
}

/** The password that was entered, now or before a test, or the stored one. Adds to the form whatever is wrong with it. */
export async function completeForm(request: FastifyRequest, form: SentForm<typeof MailServerBody>) {
  const { config } = request.server.platform
  let { password } = form.body

  await form.check(checkMailServer)
  await form.check(async body => {
    password ||= await openSealed(request, body)
    password = (await completePassword(request.em, config, { ...body, password })).password
  })

  return password
}

/** For the user and the server that it was entered for. */
export async function sealPassword(
  request: FastifyRequest,
  { body: { host, username } }: SentForm<typeof MailServerBody>,
  password: string
) {
  if (!password) return undefined
  const sealed = await encrypt(request.server.platform.config, password, ownerOf(request, { host, username }))

  return sealed.toString('base64url')
}

async function openSealed(request: FastifyRequest, server: { host: string; username: string }) {
  const sealed = Buffer.from(textOf(request, 'sealed_password'), 'base64url')

  return (await decrypt(request.server.platform.config, sealed, ownerOf(request, server))) ?? ''
}

function ownerOf({ user }: FastifyRequest, { host, username }: { host: string; username: string }) {
  return JSON.stringify(['mail server as entered', user.id, host, username])
}

interface Shown {
  isStored: boolean
  sealed?: string | undefined
  /** MAIL_FROM sets it. */
  isFromGiven: boolean
  defaultSender: string
}

export function mailServerForm(request: FastifyRequest, form: MailForm, { isStored, sealed, isFromGiven, defaultSender }: Shown) {
  return html`
    ${form.render(
      request,
      { action: '/admin/mail' },
      html`
      <div class="filter">
        ${form.field('host', { label: 'Host', invalid: 'Enter the host name.', attributes: { placeholder: 'mail.example.com', spellcheck: 'false', autocapitalize: 'none' } })}
        ${form.field('port', { label: 'Port' })}
      </div>
      ${form.select('security', { label: 'Encryption', options: securities })}
      ${form.field('username', { label: 'User (optional)', hint: 'Leave empty if the server requires no sign-in.', autocomplete: 'off', attributes: { spellcheck: 'false', autocapitalize: 'none' } })}
      ${form.field('password', { type: 'password', label: 'Password', hint: passwordHint(isStored && form.text('username') !== '', sealed), isRequired: false, autocomplete: 'new-password' })}
      ${sealed && html`<input type="hidden" name="sealed_password" value="${sealed}">`}
      ${
        isFromGiven
          ? html`<input type="hidden" name="sender" value="${form.text('sender')}"><p class="hint">The environment variable <code>MAIL_FROM</code> sets the sender.</p>`
          : form.field('sender', { label: 'From (optional)', hint: `Such as Tocsin <tocsin@example.com>. If empty, ${defaultSender}.` })
      }
      <p class="actions"><button>Save</button> <button class="plain" formaction="/admin/mail/test">Send a test message to me</button></p>`
    )}
    ${isStored && formOf(request, { action: '/admin/mail/removal' }, html`<button class="quiet">Remove the mail server</button>`)}`
}

function passwordHint(isKept: boolean, sealed: string | undefined) {
  if (sealed) return 'Entered. It is stored when you save, and not shown again.'

  return isKept ? 'Stored encrypted. Leave empty to keep it.' : 'Stored encrypted, and not shown again.'
}
