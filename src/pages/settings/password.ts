import type { FastifyInstance, FastifyReply } from 'fastify'
import { redirect } from '#api/redirect.ts'
import { changePassword } from '#identity/sessions/change-password.ts'
import { formOf } from '../layout/field.ts'
import { flash } from '../layout/flash.ts'
import { textOf } from '../layout/forms.ts'
import { html } from '../layout/html.ts'
import { newPasswordFields, type PasswordErrors, validateNewPassword } from '../sign-in/password-fields.ts'
import { loadAccount, requirePerson } from '../sign-in/require-sign-in.ts'
import { passwordField, wrongPassword } from './password-field.ts'
import { settingsPage } from './settings-page.ts'

const path = '/-/profile/password'

export async function passwordPage(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app) }

  app.get(path, guard, async (_request, reply) => showPassword(reply))

  app.post(path, guard, async (request, reply) => {
    const { em, account } = await loadAccount(request)
    const password = textOf(request, 'password')
    const errors = validateNewPassword(password, textOf(request, 'again'), account.user)

    if (errors) return showPassword(reply.code(400), errors)
    if (!(await changePassword(em, account, textOf(request, 'current'), password))) {
      return showPassword(reply.code(400), { current: wrongPassword })
    }
    flash(reply, 'Password changed. All other sessions are signed out.')

    return redirect(reply, path)
  })
}

function showPassword(reply: FastifyReply, errors: PasswordErrors = {}) {
  const { username } = reply.request.caller!.user

  return settingsPage(
    reply,
    path,
    html`
    <h1>Password</h1>
    <p class="lead">Changing it signs you out of all other sessions. Access tokens stay valid.</p>
    ${formOf(
      reply.request,
      {},
      html`
      <input type="hidden" name="username" value="${username}" autocomplete="username">
      ${passwordField({ label: 'Current password', error: errors.current })}
      ${newPasswordFields(errors)}
      <button>Change password</button>`
    )}`
  )
}
