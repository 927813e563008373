import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { redirect } from '#api/redirect.ts'
import { disconnectIdentity, listIdentities } from '#identity/provider/identities.ts'
import type { Identity } from '#identity/provider/identity.ts'
import type { Provider } from '#identity/provider/provider.ts'
import { confirmPassword } from '#identity/sessions/confirm-password.ts'
import { attempt } from '../layout/attempt.ts'
import { formOf } from '../layout/field.ts'
import { flash } from '../layout/flash.ts'
import { Form, readForm } from '../layout/form.ts'
import { html } from '../layout/html.ts'
import { ago, day } from '../layout/time.ts'
import { loadAccount, requireOneself } from '../sign-in/require-sign-in.ts'
import { failureText, sendToProvider } from '../sign-in/send-to-provider.ts'
import { CurrentPassword, passwordField } from './password-field.ts'
import { settingsPage } from './settings-page.ts'

const path = '/-/profile/identities'

type PasswordForm = Form<typeof CurrentPassword>

/** The accounts elsewhere with which a user signs in. */
export async function identitiesPage(app: FastifyInstance, { provider }: { provider: Provider }) {
  const guard = { onRequest: requireOneself(app) }
  const { name, issuer } = provider.settings

  app.get(path, guard, async (_request, reply) => show(reply, provider, new Form(CurrentPassword)))

  app.post(path, guard, async (request, reply) => {
    const { em, account } = await loadAccount(request)
    const form = readForm(request, CurrentPassword, ['current'])

    if (!(await form.save(({ current }) => confirmPassword(em, account, current)))) return show(reply.code(400), provider, form)
    const failure = await sendToProvider(reply, provider, { returnTo: path, userId: account.user.id })

    if (!failure) return reply
    form.problems.base = failureText(failure, name)

    return show(reply.code(400), provider, form)
  })

  app.post<{ Params: { id: string } }>(`${path}/:id(^\\d{1,15}$)/deletion`, guard, async (request, reply) => {
    const { em, account } = await loadAccount(request)
    const { problems } = await attempt(() => disconnectIdentity(em, account, Number(request.params.id)))

    if (problems) return show(reply.code(400), provider, Object.assign(new Form(CurrentPassword), { problems }))
    flash(reply, `Disconnected ${new URL(issuer).host}.`)

    return redirect(reply, path)
  })
}

async function show(reply: FastifyReply, provider: Provider, form: PasswordForm) {
  const { request } = reply
  const { name } = provider.settings
  const { account } = await loadAccount(request)
  const identities = await listIdentities(reply.server.platform.fork(), account.user.id)
  // As the library compares them: a `/` at the end of a host does not count.
  const issuers = identities.map(({ issuer }) => new URL(issuer).href)
  const isConnected = issuers.includes(new URL(provider.settings.issuer).href)

  return settingsPage(
    reply,
    path,
    html`
    <h1>Connected sign-ins</h1>
    <p class="lead">Accounts elsewhere with which you sign in here.</p>
    ${isConnected && form.notices()}
    ${
      identities.length > 0
        ? html`<ul class="rows">${identities.map(identity => row(request, identity, account.at))}</ul>`
        : html`<p class="empty">You have not connected any account.</p>`
    }
    ${!isConnected && form.render(request, { action: path }, html`${await passwordField(request, form)}<button>Connect ${name}</button>`)}`
  )
}

function row(request: FastifyRequest, { id, issuer, subject, email, seenAt, createdAt }: Identity, now: Date) {
  const { host } = new URL(issuer)

  return html`
    <li>
      <div>
        <p><strong>${host}</strong> ${email || subject}</p>
        <p class="hint">connected ${day(createdAt)} · last used ${ago(seenAt, now)}</p>
      </div>
      ${formOf(request, { action: `${path}/${id}/deletion` }, html`<button class="plain" aria-label="Disconnect ${host}">Disconnect</button>`)}
    </li>`
}
