import type { FastifyRequest } from 'fastify'
import { Application } from '#oauth/applications/application.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { entityRows } from '#platform/database/list.ts'
import { formOf, secretField } from '../layout/field.ts'
import { html } from '../layout/html.ts'
import { day } from '../layout/time.ts'
import { byTime, numberedPage, pager } from '../list.ts'
import { type ApplicationFields, applicationFields, formOfApplication, newApplicationForm } from './application-form.ts'

interface ApplicationList {
  em: EntityManager
  path: string
  owner: number | null
  form?: ApplicationFields | undefined
}

/** Applications, those that registered themselves last, with the form for another one. */
export async function applicationList(request: FastifyRequest, { em, path, owner, form = newApplicationForm() }: ApplicationList) {
  const applications = entityRows(em, Application, { owner }, { orderBy: { isDynamic: 'asc', id: 'desc' } })
  const page = await numberedPage(request, applications, 50)

  return html`
    ${
      page.rows.length > 0
        ? html`<ul class="rows">${page.rows.map(application => row(path, application))}</ul>`
        : html`<p class="empty">${page.number > 1 ? 'There are no more applications.' : 'No applications are registered.'}</p>`
    }
    ${pager(page, number => `${path}?page=${number}`, byTime)}
    <h2>New application</h2>
    ${form.render(request, { action: path }, html`${applicationFields(form, true)}<button>Register application</button>`)}`
}

function row(path: string, { id, name, scopes, isConfidential, isDynamic, createdAt }: Application) {
  return html`
    <li>
      <div>
        <p><a href="${path}/${id}"><strong>${name}</strong></a> ${scopes.map(scope => html`<span class="badge">${scope}</span> `)}</p>
        <p class="hint">${isConfidential ? 'confidential' : 'public'} · ${isDynamic ? 'registered itself' : 'registered'} ${day(createdAt)}</p>
      </div>
    </li>`
}

interface ApplicationView {
  path: string
  application: Application
  form?: ApplicationFields
  /** A new one, which is not shown again. */
  secret?: string
}

/** One application: its credentials and settings. */
export function applicationDetails(
  request: FastifyRequest,
  { path, application, form = formOfApplication(application), secret }: ApplicationView
) {
  const { id, uid, name, isConfidential } = application
  const action = `${path}/${id}`

  return html`
    <p><a href="${path}">Applications</a></p>
    <h1>${name}</h1>
    ${secretField({ name: 'application_id', label: 'Application ID', value: uid, hint: 'The client_id of OAuth requests.' })}
    ${secret && newSecret(secret)}
    ${
      isConfidential
        ? formOf(
            request,
            { action: `${action}/secret` },
            html`<button class="plain">Renew secret</button><p class="hint">The current secret stops working immediately.</p>`
          )
        : html`<p>This application is public: it has no secret and must use PKCE.</p>`
    }
    <h2>Settings</h2>
    ${form.render(request, { action }, html`${applicationFields(form, false)}<button>Save</button>`)}
    <section class="danger">
      <h2>Delete</h2>
      <p>Its tokens stop working immediately. This cannot be undone.</p>
      ${formOf(request, { action: `${action}/deletion` }, html`<button>Delete application</button>`)}
    </section>`
}

function newSecret(secret: string) {
  const hint = 'Copy it now; it will not be shown again.'

  return html`<section class="made" role="status">${secretField({ name: 'secret', label: 'Secret', value: secret, hint, isFocused: true })}</section>`
}
