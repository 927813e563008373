import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { redirect } from '#api/redirect.ts'
import { NotFound } from '#lib/refusals.ts'
import { type Authorization, listAuthorizations } from '#oauth/authorize/list-authorizations.ts'
import { revokeAuthorization } from '#oauth/authorize/revoke-authorization.ts'
import type { ApplicationFields } from '../applications/application-form.ts'
import { applicationPages } from '../applications/application-pages.ts'
import { applicationList } from '../applications/application-views.ts'
import { formOf } from '../layout/field.ts'
import { flash } from '../layout/flash.ts'
import { html } from '../layout/html.ts'
import { day } from '../layout/time.ts'
import { loadAccount, requireOneself } from '../sign-in/require-sign-in.ts'
import { settingsPage } from './settings-page.ts'

const path = '/-/profile/applications'

/** The applications that a user registered, and those that may act for them. */
export async function userApplicationsPage(app: FastifyInstance) {
  const guard = requireOneself(app)

  await app.register(applicationPages, {
    path,
    guard,
    ownerIdOf: request => request.user.id,
    frame: (reply, content) => settingsPage(reply, path, content),
    showList
  })

  app.post<{ Params: { id: string } }>(`${path}/:id(^\\d{1,15}$)/revocation`, { onRequest: guard }, async (request, reply) => {
    const { em, account } = await loadAccount(request)

    if (!(await revokeAuthorization(em, account, Number(request.params.id) || null))) throw new NotFound('Application')
    flash(reply, 'Access revoked.')

    return redirect(reply, path)
  })
}

async function showList(reply: FastifyReply, form?: ApplicationFields) {
  const { request } = reply
  const { em, account } = await loadAccount(request)
  const authorizations = await listAuthorizations(em, account.user, account.at)

  return settingsPage(
    reply,
    path,
    html`
    <h1>Applications</h1>
    <h2>Authorized applications</h2>
    <p class="lead">These applications may act as you, within their scopes.</p>
    ${
      authorizations.length > 0
        ? html`<ul class="rows">${authorizations.map(authorization => row(request, authorization))}</ul>`
        : html`<p class="empty">You have not authorized any application.</p>`
    }
    <h2>Your applications</h2>
    <p class="lead">An application lets users sign in with Tocsin, and acts for them with OAuth 2.0.</p>
    ${await applicationList(request, { em, path, owner: account.user.id, form })}`
  )
}

function row(request: FastifyRequest, { id, name, owner, scopes, since }: Authorization) {
  const title = name ?? 'Programs that have your password'

  return html`
    <li>
      <div>
        <p><strong>${title}</strong> ${scopes.map(scope => html`<span class="badge">${scope}</span> `)}</p>
        <p class="hint">${owner && html`of ${owner} · `}since ${day(since)}</p>
      </div>
      ${formOf(request, { action: `${path}/${id ?? 0}/revocation` }, html`<button class="plain" aria-label="Revoke the access of ${title}">Revoke</button>`)}
    </li>`
}
