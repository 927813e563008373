import type { FastifyRequest } from 'fastify'
import type { ErrorSetting } from '#errors/settings/error-setting.ts'
import { field, formOf } from '../layout/field.ts'
import { html } from '../layout/html.ts'
import type { PageContext, Problems } from '../projects/page-context.ts'

export interface TrackerForm {
  setting: ErrorSetting | null
  /** The form as it was sent. */
  values?: { api_url?: string; project_name?: string; tracker_external_url?: string }
  problems?: Problems
  /** The project as the tracker describes it. */
  answer?: { name?: string; externalUrl?: string }
}

export function trackerView(request: FastifyRequest, { projectUrl }: PageContext, { setting, values, problems = {}, answer }: TrackerForm) {
  const isLinked = setting?.integrated === false
  const action = `${projectUrl}/error_settings/tracker`

  return html`
    ${isLinked ? linkedTracker(setting) : html`<p class="lead">Errors of this project are tracked here. If they are tracked by a Sentry, or by another tracker with Sentry's API, link its project: then SDKs with a DSN of this project get 403.</p>`}
    <div class="column">
      ${formOf(
        request,
        { action },
        html`
        ${field({
          name: 'api_url',
          label: 'API URL of the project',
          value: values ? values.api_url : (setting?.apiUrl ?? ''),
          hint: 'https://sentry.example.com/api/0/projects/shop/web/ for the project “web” of the organization “shop”.',
          error: problems.api_url,
          attributes: { inputmode: 'url', maxlength: 255, spellcheck: 'false' }
        })}
        ${field({
          type: 'password',
          name: 'token',
          label: 'Token',
          hint: setting?.trackerToken
            ? 'A token is stored. Empty: it stays. Another host needs its own token.'
            : 'It needs the scope project:read. It is stored encrypted and never shown again.',
          error: problems.token,
          autocomplete: 'off',
          attributes: { maxlength: 1000 }
        })}
        ${field({ name: 'project_name', label: 'Name (optional)', value: values ? values.project_name : (setting?.projectName ?? ''), hint: 'Empty: the name at the tracker.', error: problems.project_name, attributes: { maxlength: 255 } })}
        ${field({ name: 'tracker_external_url', label: 'Page of the project (optional)', value: values ? values.tracker_external_url : (setting?.trackerExternalUrl ?? ''), hint: 'Empty: derived from the API URL.', error: problems.tracker_external_url, attributes: { inputmode: 'url', maxlength: 255 } })}
        ${answer && testAnswer(answer)}
        <p class="actions"><button>${isLinked ? 'Save' : 'Link the tracker'}</button> <button class="plain" name="action" value="test">Test</button></p>`
      )}
      ${isLinked && unlinkForm(request, action)}
    </div>`
}

function linkedTracker({ projectName, trackerExternalUrl: url }: ErrorSetting) {
  const name = projectName ?? url ?? 'another tracker'

  return html`<p class="lead">Errors of this project are tracked by ${url ? html`<a href="${url}" rel="noreferrer">${name}</a>` : name}. SDKs with a DSN of this project get 403.</p>`
}

function testAnswer({ name, externalUrl }: NonNullable<TrackerForm['answer']>) {
  return html`
    <div class="made" role="status">
      <p>The tracker answered. Nothing was saved.</p>
      <dl class="facts">
        <div><dt>Project</dt><dd>${name ?? 'no name'}</dd></div>
        ${externalUrl && html`<div><dt>Page</dt><dd><a href="${externalUrl}" rel="noreferrer">${externalUrl}</a></dd></div>`}
      </dl>
    </div>`
}

function unlinkForm(request: FastifyRequest, action: string) {
  return html`
    <details class="confirm">
      <summary>Track errors here again</summary>
      <p>The address and the token of the tracker are deleted. SDKs can send to this project again.</p>
      ${formOf(request, { action: `${action}/unlink` }, html`<button class="plain">Track errors here</button>`)}
    </details>`
}
