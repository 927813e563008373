import type { FastifyInstance, FastifyReply } from 'fastify'
import Type from 'typebox'
import { redirect } from '#api/redirect.ts'
import { sendPasswordLink } from '#identity/passwords/send-password-link.ts'
import { minPasswordLength } from '#identity/secrets.ts'
import { registerUser } from '#identity/users/register-user.ts'
import { NewUserBody } from '#identity/users/user-admin-routes.ts'
import { Nullable } from '#lib/nullable.ts'
import { flash } from '#pages/layout/flash.ts'
import { Form, readForm } from '#pages/layout/form.ts'
import { html } from '#pages/layout/html.ts'
import { requirePerson } from '#pages/sign-in/require-sign-in.ts'
import { adminPage } from '../admin-page.ts'
import { showLink } from './user-admin.ts'
import { UserForm, userFields } from './user-form.ts'

const path = '/admin/users'

/** Without a password, the user gets a link to choose one. */
const NewUserForm = Type.Object({
  ...UserForm.properties,
  password: Nullable(NewUserBody.properties.password),
  skip_confirmation: Type.Boolean()
})
const blank = { can_create_group: true, projects_limit: 100_000 }

export async function newUserPage(app: FastifyInstance) {
  const { config } = app.platform
  const guard = { onRequest: requirePerson(app, app.requireAdmin) }

  app.get(`${path}/new`, guard, async (_request, reply) => showForm(reply, new Form(NewUserForm, blank)))

  app.post(path, guard, async (request, reply) => {
    const form = readForm(request, NewUserForm, ['password'])
    const saved = await form.save(({ password, ...body }) =>
      registerUser(request.em, app.platform, request.actor, { ...body, ...(password ? { password } : { reset_password: true }) })
    )

    if (!saved) return showForm(reply.code(400), form)
    const { result: user } = saved

    if (!user.passwordHash && !config.smtp.url) {
      const link = await sendPasswordLink(app.platform.fork(), config, request.actor, user.id, new Date())

      return showLink(reply, user, link!)
    }
    flash(reply, user.passwordHash ? 'User created.' : `User created. A link to choose a password was e-mailed to ${user.email}.`)

    return redirect(reply, `${path}/${user.id}`)
  })
}

function showForm(reply: FastifyReply, form: Form<typeof NewUserForm>) {
  const { request, server } = reply
  const isMailed = Boolean(server.platform.config.smtp.url)

  return adminPage(
    reply,
    { title: 'New user', tab: path },
    html`
    <h1>New user</h1>
    <div class="column">${form.render(
      request,
      { action: path },
      html`
      ${userFields(form)}
      ${form.field('password', {
        type: 'password',
        label: 'Password (optional)',
        hint: `Leave empty to ${isMailed ? 'e-mail them' : 'get'} a link with which they choose one. Otherwise at least ${minPasswordLength} characters.`,
        autocomplete: 'new-password'
      })}
      ${isMailed && form.checkbox('skip_confirmation', { label: 'The address is confirmed', hint: 'If off, a link that we e-mail confirms it.' })}
      <p class="actions"><button>Create user</button> <a class="button plain" href="${path}">Cancel</a></p>`
    )}</div>`
  )
}
