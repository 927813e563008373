import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { redirect } from '#api/redirect.ts'
import { emails } from '#identity/emails/email-resource.ts'
import { requestConfirmation } from '#identity/emails/jobs.ts'
import { UserEmail } from '#identity/emails/user-email.ts'
import type { AccountContext } from '#identity/sessions/sessions.ts'
import { addRow, getRow, removeRow } from '#identity/user-resource.ts'
import { updateUser } from '#identity/users/update-user.ts'
import { NotFound } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { formOf } from '../layout/field.ts'
import { flash } from '../layout/flash.ts'
import { Form, readForm } from '../layout/form.ts'
import { html } from '../layout/html.ts'
import { loadAccount, requireOneself } from '../sign-in/require-sign-in.ts'
import { settingsPage } from './settings-page.ts'

const path = '/-/profile/emails'
const NewEmail = Type.Pick(emails.body, ['email'])

export async function emailsPage(app: FastifyInstance) {
  const guard = { onRequest: requireOneself(app) }
  const flashSent = (reply: FastifyReply) =>
    flash(
      reply,
      app.platform.mail.isConfigured
        ? 'We sent a confirmation link to this address. If nothing arrives within a few minutes, check the address or send the link again.'
        : 'No mail server is configured, so the confirmation link cannot be sent. Ask an admin to set one.'
    )

  app.get(path, guard, async (request, reply) => {
    const { em, account } = await loadAccount(request)

    return showEmails(reply, em, account, new Form(NewEmail))
  })

  app.post(path, guard, async (request, reply) => {
    const { em, account } = await loadAccount(request)
    const { user, actor, at } = account
    const form = readForm(request, NewEmail)
    const saved = await form.save(body => addRow(em, actor, emails, user.id, emails.read(body, { at, isAdmin: false })))

    if (!saved) return showEmails(reply.code(400), em.fork(), account, form)
    await requestConfirmation(app.platform, saved.result, at)
    flashSent(reply)

    return redirect(reply, path)
  })

  // `primary` stands for the primary address, which has no row.
  app.post<{ Params: { id: string } }>(`${path}/:id(^\\d{1,15}$|^primary$)/confirmation`, guard, async (request, reply) => {
    const { em, account } = await loadAccount(request)
    const { user, at } = account
    const { id } = request.params
    const address = id === 'primary' ? { ...user, userId: user.id } : await getRow(em, emails, user.id, Number(id))

    await requestConfirmation(app.platform, address, at)
    flashSent(reply)

    return redirect(reply, path)
  })

  app.post<{ Params: { id: string } }>(`${path}/:id(^\\d{1,15}$)/primary`, guard, async (request, reply) => {
    const { em, account } = await loadAccount(request)
    const { user, actor } = account
    const { email, confirmedAt } = await getRow(em, emails, user.id, Number(request.params.id))

    if (!confirmedAt) throw new NotFound('Confirmed Email')
    await updateUser(em, actor, user.id, { email })
    flash(reply, `${email} is your primary address.`)

    return redirect(reply, path)
  })

  app.post<{ Params: { id: string } }>(`${path}/:id(^\\d{1,15}$)/deletion`, guard, async (request, reply) => {
    const { em, account } = await loadAccount(request)

    await removeRow(em, account.actor, emails, account.user.id, Number(request.params.id))
    flash(reply, 'Address deleted.')

    return redirect(reply, path)
  })
}

async function showEmails(reply: FastifyReply, em: EntityManager, { user }: AccountContext, form: Form<typeof NewEmail>) {
  const addresses = await em.find(UserEmail, { userId: user.id }, { orderBy: { id: 'asc' } })
  const { request } = reply
  const error = form.error('email') && 'Enter an e-mail address that is not in use.'

  return settingsPage(
    reply,
    path,
    html`
    <h1>E-mail addresses</h1>
    <p class="lead">You sign in with your primary address. Other addresses can receive notifications once they are confirmed.</p>
    <ul class="rows">
      ${row(request, 'primary', user)}
      ${addresses.map(address => row(request, address.id, address))}
    </ul>
    ${form.render(
      request,
      {},
      html`
      ${form.field('email', { label: 'Another address', type: 'email', error, isRequired: true, autocomplete: 'email' })}
      <button>Add</button>`
    )}`
  )
}

function row(request: FastifyRequest, id: number | 'primary', { email, confirmedAt }: { email: string; confirmedAt?: Date | null }) {
  const isPrimary = id === 'primary'
  const button = (action: string, label: string) =>
    formOf(request, { action: `${path}/${id}/${action}` }, html`<button class="plain" aria-label="${label}: ${email}">${label}</button>`)

  return html`
    <li>
      <div>
        <p><strong>${email}</strong>
          ${isPrimary && html`<span class="badge">primary</span>`}
          ${confirmedAt ? html`<span class="badge good">confirmed</span>` : html`<span class="badge">not confirmed</span>`}</p>
      </div>
      ${!confirmedAt && button('confirmation', 'Send the link again')}
      ${!isPrimary && confirmedAt && button('primary', 'Make primary')}
      ${!isPrimary && button('deletion', 'Delete')}
    </li>`
}
