import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import Type from 'typebox'
import { disposition } from '#api/parameters/file-name.ts'
import { redirect } from '#api/redirect.ts'
import { recordUserEvent } from '#identity/record-user-event.ts'
import { confirmPassword } from '#identity/sessions/confirm-password.ts'
import { ValidationFailed } from '#lib/refusals.ts'
import { exportAccount } from '#projects/account/export-store.ts'
import { deleteUser } from '#projects/deletion/delete-user.ts'
import { flash } from '../layout/flash.ts'
import { Form, readForm } from '../layout/form.ts'
import { html } from '../layout/html.ts'
import { loadAccount, requireOneself } from '../sign-in/require-sign-in.ts'
import { CurrentPassword, passwordField } from './password-field.ts'
import { settingsPage } from './settings-page.ts'

const path = '/-/profile/account'
const DeletionForm = Type.Object({ ...CurrentPassword.properties, username: Type.String(), projects: Type.Boolean() })

interface Refused {
  download?: Form<typeof CurrentPassword>
  deletion?: Form<typeof DeletionForm>
}

/** A copy of what is kept of the user, and the end of the account. */
export async function accountPage(app: FastifyInstance) {
  const guard = { onRequest: requireOneself(app) }

  app.get(path, guard, (_, reply) => showAccount(reply))

  app.post(`${path}/export`, guard, async (request, reply) => {
    const { em, account } = await loadAccount(request)
    const form = readForm(request, CurrentPassword, ['current'])
    const saved = await form.save(async ({ current }) => {
      await confirmPassword(em, account, current)
      recordUserEvent(em, request.actor, account.user, 'user_exported')
      await em.flush()
    })

    if (!saved) return showAccount(reply.code(400), { download: form })

    return reply
      .type('application/json; charset=utf-8')
      .header('content-disposition', disposition('attachment', `tocsin-${account.user.username}.json`))
      .send(Readable.from(exportAccount(em.fork(), account.user.id)))
  })

  app.post(`${path}/deletion`, guard, async (request, reply) => {
    const { em, account } = await loadAccount(request)
    const form = readForm(request, DeletionForm, ['current'])
    const saved = await form.save(async ({ current, username, projects }) => {
      await confirmPassword(em, account, current)
      if (username !== account.user.username) throw new ValidationFailed({ username: ['is not your username'] })
      await deleteUser(em.fork(), app.platform, account.user.id, { withProjects: projects }, request.actor)
    })

    if (!saved) return showAccount(reply.code(400), { deletion: form })
    flash(reply, 'Your account was deleted.')

    return redirect(reply, '/users/sign_in')
  })
}

async function showAccount(reply: FastifyReply, { download = new Form(CurrentPassword), deletion = new Form(DeletionForm) }: Refused = {}) {
  const { request } = reply

  return settingsPage(
    reply,
    path,
    html`
    <h1>Account</h1>
    <h2>Download your data</h2>
    <p>Your profile, addresses, sessions, memberships, settings, and what you wrote and did, as JSON. Passwords, tokens and keys are not in it.</p>
    ${download.render(request, { action: `${path}/export` }, html`${await passwordField(request, download)}<button>Download</button>`)}
    <section class="danger">
      <h2>Delete your account</h2>
      <p>What you wrote in the projects of others stays, without your name. It cannot be undone.</p>
      ${deletion.render(
        request,
        { action: `${path}/deletion` },
        html`
        ${deletion.field('username', { id: 'delete-username', label: 'Your username', hint: 'To confirm.', autocomplete: 'off' })}
        ${deletion.checkbox('projects', { label: 'Delete my personal projects, too', hint: 'Otherwise move them to a group first.' })}
        ${await passwordField(request, deletion, { id: 'delete-current' })}
        <button data-confirm="Delete your account?">Delete my account</button>`
      )}
    </section>`
  )
}
