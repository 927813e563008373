import type { FastifyInstance, FastifyReply } from 'fastify'
import { redirect } from '#api/redirect.ts'
import { replaceOneTimePassword } from '#identity/sessions/change-password.ts'
import { Form, readForm } from '../layout/form.ts'
import { html } from '../layout/html.ts'
import { page } from '../layout/page.ts'
import { checkNewPassword, NewPassword, newPasswordFields } from './password-fields.ts'
import { loadAccount, requireOneself } from './require-sign-in.ts'
import { isAuthorization, returnTo } from './return-to.ts'

/** Replaces a one-time password: the only page it gives access to. */
export async function newPasswordPage(app: FastifyInstance) {
  const guard = { onRequest: requireOneself(app), config: { allowsOneTimePassword: true as const } }

  app.get('/users/password', guard, async (request, reply) =>
    request.caller?.user.mustChangePassword ? newPassword(reply, new Form(NewPassword)) : redirect(reply, '/-/profile/password')
  )

  app.post('/users/password', guard, async (request, reply) => {
    const { em, account } = await loadAccount(request)
    const form = readForm(request, NewPassword, ['password', 'again'])

    checkNewPassword(form, account.user)
    const saved = await form.save(({ password }) => replaceOneTimePassword(em, account, password))

    if (!saved) return newPassword(reply.code(400), form)

    return redirect(reply, saved.result ? returnTo(request) : '/-/profile/password')
  })
}

function newPassword(reply: FastifyReply, form: Form<typeof NewPassword>) {
  const { username } = reply.request.caller!.user
  const path = returnTo(reply.request)

  return page(
    reply,
    { title: 'New password', width: 'narrow', redirectsAway: isAuthorization(path) },
    html`
    <section class="card" data-refused>
      <h1>Choose a password</h1>
      <p class="lead">It replaces your one-time password and signs you out of all other sessions.</p>
      ${form.render(
        reply.request,
        { action: '/users/password' },
        html`
        <input type="hidden" name="return_to" value="${path}">
        <input type="hidden" name="username" value="${username}" autocomplete="username">
        ${newPasswordFields(form)}
        <button>Save</button>`
      )}
    </section>`
  )
}
