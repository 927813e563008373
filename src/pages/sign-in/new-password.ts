import type { FastifyInstance, FastifyReply } from 'fastify'
import { ownPath, redirect } from '#api/redirect.ts'
import { replaceOneTimePassword } from '#identity/sessions/change-password.ts'
import { formOf } from '../layout/field.ts'
import { textOf } from '../layout/forms.ts'
import { html } from '../layout/html.ts'
import { page } from '../layout/page.ts'
import { newPasswordFields, type PasswordErrors, validateNewPassword } from './password-fields.ts'
import { loadAccount, requirePerson } from './require-sign-in.ts'
import { isAuthorization, returnTo } from './return-to.ts'

/** Replaces a one-time password: the only page it gives access to. */
export async function newPasswordPage(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app), config: { allowsOneTimePassword: true as const } }

  app.get('/users/password', guard, async (request, reply) =>
    request.caller?.user.mustChangePassword ? newPassword(reply, returnTo(request)) : redirect(reply, '/-/profile/password')
  )

  app.post('/users/password', guard, async (request, reply) => {
    const { em, account } = await loadAccount(request)
    const [password, path] = [textOf(request, 'password'), ownPath(textOf(request, 'return_to'))]
    const errors = validateNewPassword(password, textOf(request, 'again'), account.user)

    if (errors) return newPassword(reply.code(400), path, errors)
    const outcome = await replaceOneTimePassword(em, account, password)

    if (outcome === 'not-required') return redirect(reply, '/-/profile/password')
    if (outcome === 'unchanged') {
      return newPassword(reply.code(400), path, { password: 'Choose a password other than the one-time password.' })
    }

    return redirect(reply, path)
  })
}

function newPassword(reply: FastifyReply, path: string, errors?: PasswordErrors) {
  const { username } = reply.request.caller!.user

  return page(
    reply,
    { title: 'New password', width: 'narrow', redirectsAway: isAuthorization(path) },
    html`
    <section class="card" data-refused>
      <h1>Choose a password</h1>
      <p class="lead">It replaces your one-time password and signs you out of all other sessions.</p>
      ${formOf(
        reply.request,
        { action: '/users/password' },
        html`
        <input type="hidden" name="return_to" value="${path}">
        <input type="hidden" name="username" value="${username}" autocomplete="username">
        ${newPasswordFields(errors)}
        <button>Save</button>`
      )}
    </section>`
  )
}
