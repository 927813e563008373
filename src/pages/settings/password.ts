import type { FastifyInstance, FastifyReply } from 'fastify'
import { confirmPassword } from '../../identity/sessions/lockout.ts'
import { changePassword } from '../../identity/sessions/sign-in.ts'
import { formOf } from '../layout/field.ts'
import { flash } from '../layout/flash.ts'
import { textOf } from '../layout/forms.ts'
import { html } from '../layout/html.ts'
import { checkNewPassword, newPasswordFields, type PasswordProblems } from '../sign-in/password-fields.ts'
import { meOf, requirePerson } from '../sign-in/require-sign-in.ts'
import { passwordField, wrongPassword } from './password-field.ts'
import { settingsPage } from './settings-page.ts'

export async function passwordPage(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app) }

  app.get('/-/profile/password', guard, async (_request, reply) => password(reply))

  app.post('/-/profile/password', guard, async (request, reply) => {
    const { em, user, actor, session, at } = await meOf(request)
    const wanted = textOf(request, 'password')
    const problems = checkNewPassword(wanted, textOf(request, 'again'))

    if (problems) return password(reply.code(400), problems)
    if (!(await confirmPassword(em, user, textOf(request, 'current'), actor, at))) {
      return password(reply.code(400), { current: wrongPassword })
    }
    await changePassword(em, user, wanted, session, actor)
    flash(reply, 'Your password is changed. Everywhere else you are signed out.')

    return reply.redirect('/-/profile/password', 303)
  })
}

function password(reply: FastifyReply, problems: PasswordProblems = {}) {
  const { username } = reply.request.caller!.user

  return settingsPage(
    reply,
    '/-/profile/password',
    html`
    <h1>Password</h1>
    <p class="lead">A change signs you out everywhere but here. Access tokens stay as they are.</p>
    ${formOf(
      reply.request,
      {},
      html`
      <input type="hidden" name="username" value="${username}" autocomplete="username">
      ${passwordField({ name: 'current', label: 'Current password', error: problems.current })}
      ${newPasswordFields(problems)}
      <button>Change password</button>`
    )}`
  )
}
