import type { FastifyInstance, FastifyReply } from 'fastify'
import { isPassword } from '../../identity/secrets.ts'
import { changePassword } from '../../identity/sessions/sign-in.ts'
import { formOf } from '../layout/field.ts'
import { textOf } from '../layout/forms.ts'
import { html } from '../layout/html.ts'
import { page } from '../layout/page.ts'
import { checkNewPassword, newPasswordFields, type PasswordProblems } from './password-fields.ts'
import { meOf, requirePerson } from './require-sign-in.ts'
import { returnTo, safePath } from './return-to.ts'

/** Where a one-time password is replaced: the only thing it is good for. */
export async function newPasswordPage(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app), config: { allowsOneTimePassword: true as const } }

  app.get('/users/password', guard, async (request, reply) => {
    return request.caller?.user.mustChangePassword ? newPassword(reply, returnTo(request)) : reply.redirect('/-/profile/password', 303)
  })

  app.post('/users/password', guard, async (request, reply) => {
    const { em, user, actor, session } = await meOf(request)
    const [password, back] = [textOf(request, 'password'), safePath(textOf(request, 'return_to'))]

    // Otherwise a stolen session could do without the current password.
    if (!user.mustChangePassword) return reply.redirect('/-/profile/password', 303)
    const problems = checkNewPassword(password, textOf(request, 'again'))

    if (!problems && (await isPassword(password, user.passwordHash))) {
      return newPassword(reply.code(400), back, { password: 'Choose another than the one-time password.' })
    }
    if (problems) return newPassword(reply.code(400), back, problems)
    await changePassword(em, user, password, session, actor)

    return reply.redirect(back, 303)
  })
}

function newPassword(reply: FastifyReply, back: string, problems?: PasswordProblems) {
  const { username } = reply.request.caller!.user

  return page(
    reply,
    { title: 'New password', width: 'narrow' },
    html`
    <section class="card">
      <h1>Choose a password</h1>
      <p class="lead">It replaces the one you signed in with, and signs you out everywhere else.</p>
      ${formOf(
        reply.request,
        { action: '/users/password' },
        html`
        <input type="hidden" name="return_to" value="${back}">
        <input type="hidden" name="username" value="${username}" autocomplete="username">
        ${newPasswordFields(problems)}
        <button>Save</button>`
      )}
    </section>`
  )
}
