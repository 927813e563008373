import type { FastifyInstance, FastifyReply } from 'fastify'
import Type from 'typebox'
import { redirect } from '#api/redirect.ts'
import { changePassword } from '#identity/sessions/change-password.ts'
import { confirmPassword } from '#identity/sessions/confirm-password.ts'
import { flash } from '../layout/flash.ts'
import { Form, readForm } from '../layout/form.ts'
import { html } from '../layout/html.ts'
import { checkNewPassword, NewPassword, newPasswordFields } from '../sign-in/password-fields.ts'
import { loadAccount, requireOneself } from '../sign-in/require-sign-in.ts'
import { CurrentPassword, passwordField } from './password-field.ts'
import { settingsPage } from './settings-page.ts'

const path = '/-/profile/password'
const PasswordForm = Type.Object({ ...CurrentPassword.properties, ...NewPassword.properties })

export async function passwordPage(app: FastifyInstance) {
  const guard = { onRequest: requireOneself(app) }

  app.get(path, guard, async (_request, reply) => showPassword(reply, new Form(PasswordForm)))

  app.post(path, guard, async (request, reply) => {
    const { em, account } = await loadAccount(request)
    const form = readForm(request, PasswordForm, ['current', 'password', 'again'])

    checkNewPassword(form, account.user)
    if (form.hasProblems) await form.check(({ current }) => confirmPassword(em, account, current))
    const saved = await form.save(({ current, password }) => changePassword(em, account, current, password))

    if (!saved) return showPassword(reply.code(400), form)
    flash(reply, 'Password changed. All other sessions are signed out.')

    return redirect(reply, path)
  })
}

async function showPassword(reply: FastifyReply, form: Form<typeof PasswordForm>) {
  const { username } = reply.request.caller!.user

  return settingsPage(
    reply,
    path,
    html`
    <h1>Password</h1>
    <p class="lead">Changing it signs you out of all other sessions. Access tokens stay valid.</p>
    ${form.render(
      reply.request,
      {},
      html`
      <input type="hidden" name="username" value="${username}" autocomplete="username">
      ${await passwordField(reply.request, form, { label: 'Current password' })}
      ${newPasswordFields(form)}
      <button>Change password</button>`
    )}`
  )
}
