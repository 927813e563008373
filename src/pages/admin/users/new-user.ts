import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { redirect } from '#api/redirect.ts'
import { minPasswordLength } from '#identity/secrets.ts'
import { registerUser } from '#identity/users/register-user.ts'
import { NewUserBody } from '#identity/users/user-admin-routes.ts'
import { catchRefusal } from '#pages/layout/catch-refusal.ts'
import { checkBody } from '#pages/layout/check-body.ts'
import { checkbox, field, formOf } from '#pages/layout/field.ts'
import { flash } from '#pages/layout/flash.ts'
import { textOf } from '#pages/layout/forms.ts'
import { html } from '#pages/layout/html.ts'
import type { Problems } from '#pages/projects/page-context.ts'
import { requirePerson } from '#pages/sign-in/require-sign-in.ts'
import { adminPage } from '../admin-page.ts'
import { blankUser, readUserForm, toUserBody, type UserForm, userFields } from './user-form.ts'

const path = '/admin/users'

export async function newUserPage(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app, app.requireAdmin) }

  app.get(`${path}/new`, guard, async (_request, reply) => showForm(reply, blankUser))

  app.post(path, guard, async (request, reply) => {
    const form = readUserForm(request)
    const { result: user, problems } = await catchRefusal(() => create(request, form))

    if (problems) return showForm(reply.code(400), form, problems)
    flash(reply, 'The user is created.')

    return redirect(reply, `${path}/${user.id}`)
  })
}

/** Without a password, the user cannot sign in until an admin sets one. */
async function create(request: FastifyRequest, form: UserForm) {
  const { platform } = request.server
  const password = textOf(request, 'password')
  const given = password === '' ? { reset_password: true } : { password }
  const body = { ...toUserBody(form), ...given, skip_confirmation: textOf(request, 'skip_confirmation') !== '' }

  checkBody(NewUserBody, body)

  return registerUser(request.em, platform, request.actor, body)
}

function showForm(reply: FastifyReply, form: UserForm, problems: Problems = {}) {
  const { request, server } = reply
  const isMailed = Boolean(server.platform.config.smtp.url)

  return adminPage(
    reply,
    { title: 'New user', tab: path },
    html`
    <h1>New user</h1>
    <div class="column">${formOf(
      request,
      { action: path },
      html`
      ${userFields(form, problems)}
      ${field({
        name: 'password',
        type: 'password',
        label: 'Password (optional)',
        hint: `At least ${minPasswordLength} characters. Empty: the user cannot sign in until you set one.`,
        error: problems.password,
        autocomplete: 'new-password'
      })}
      ${isMailed && checkbox({ name: 'skip_confirmation', value: 'true', label: 'The address is confirmed', hint: 'Otherwise a link that confirms it is mailed.' })}
      <p class="actions"><button>Create user</button> <a class="button plain" href="${path}">Cancel</a></p>`
    )}</div>`
  )
}
