import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { redirect } from '#api/redirect.ts'
import { enqueueConfirmed } from '#identity/emails/jobs.ts'
import { findByPasswordToken } from '#identity/passwords/password-link.ts'
import { resetPassword } from '#identity/passwords/reset-password.ts'
import type { User } from '#identity/users/user.ts'
import { flash } from '../layout/flash.ts'
import { Form, readForm } from '../layout/form.ts'
import { textOf } from '../layout/forms.ts'
import { type Html, html } from '../layout/html.ts'
import { page } from '../layout/page.ts'
import { checkNewPassword, NewPassword, newPasswordFields } from './password-fields.ts'
import { rejectCrossSite } from './sign-in.ts'

const path = '/users/password/edit'

/** The link of the mail, with which a user chooses a password. They sign in afterwards, with their second factor. */
export async function resetPasswordPage(app: FastifyInstance) {
  const { config } = app.platform
  const beforeSession = {
    onRequest: async (request: FastifyRequest) => rejectCrossSite(request),
    config: { isBeforeSession: true as const }
  }

  app.get<{ Querystring: { reset_password_token?: string } }>(path, async (request, reply) => {
    const token = String(request.query.reset_password_token ?? '')
    const user = await findByPasswordToken(request.em, config, token, new Date())

    return user ? showForm(reply, { user, token, form: new Form(NewPassword) }) : invalidLink(reply)
  })

  app.post(path, beforeSession, async (request, reply) => {
    const token = textOf(request, 'reset_password_token')
    const at = new Date()
    const user = await findByPasswordToken(request.em, config, token, at)

    if (!user) return invalidLink(reply)
    const form = readForm(request, NewPassword, ['password', 'again'])

    checkNewPassword(form, user)
    const saved = await form.save(({ password }) => resetPassword(request.em, config, { token, password }, { ip: request.ip, at }))

    if (!saved) return showForm(reply.code(400), { user, token, form })
    if (!saved.result) return invalidLink(reply)
    await enqueueConfirmed(app.platform, user.id)
    flash(reply, 'Password set. Sign in with it.')

    return redirect(reply, '/users/sign_in')
  })
}

interface ResetForm {
  user: User
  token: string
  form: Form<typeof NewPassword>
}

function showForm(reply: FastifyReply, { user, token, form }: ResetForm) {
  const { username, passwordHash } = user

  return card(
    reply,
    html`
    <h1>Choose a password</h1>
    <p class="lead">For <strong>@${username}</strong>. ${passwordHash && 'Saving it signs you out everywhere. Access tokens stay valid.'}</p>
    ${form.render(
      reply.request,
      { action: path },
      html`
      <input type="hidden" name="reset_password_token" value="${token}">
      <input type="hidden" name="username" value="${username}" autocomplete="username">
      ${newPasswordFields(form)}
      <button>Set password</button>`
    )}`
  )
}

function invalidLink(reply: FastifyReply) {
  return card(
    reply.code(400),
    html`
    <h1>Invalid link</h1>
    <p class="problem" role="alert">The link was used, has expired or is incomplete.</p>
    <p><a class="button plain" href="/users/password/new">Get a new link</a></p>`
  )
}

function card(reply: FastifyReply, content: Html) {
  return page(reply, { title: 'Password', width: 'narrow' }, html`<section class="card" data-refused>${content}</section>`)
}
