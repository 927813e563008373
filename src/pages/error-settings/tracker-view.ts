import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { ErrorSetting } from '#errors/settings/error-setting.ts'
import { SettingChanges } from '#errors/settings/setting-schemas.ts'
import { Nullable } from '#lib/nullable.ts'
import { formOf } from '../layout/field.ts'
import type { Form } from '../layout/form.ts'
import { html } from '../layout/html.ts'
import type { PageContext } from '../projects/page-context.ts'

const { api_url, token, project_name, tracker_external_url } = SettingChanges.properties

/** Fields that are empty stay unchanged, or come from the tracker. */
export const TrackerFields = Type.Object({
  api_url: Nullable(api_url),
  token: Nullable(token),
  project_name: Nullable(project_name),
  tracker_external_url: Nullable(tracker_external_url)
})

export interface TrackerView {
  setting: ErrorSetting | null
  form: Form<typeof TrackerFields>
  /** The project as the tracker describes it. */
  answer?: { name?: string; externalUrl?: string }
}

export function trackerView(request: FastifyRequest, { projectUrl }: PageContext, { setting, form, answer }: TrackerView) {
  const isLinked = setting?.integrated === false
  const action = `${projectUrl}/error_settings/tracker`

  return html`
    ${isLinked ? linkedTracker(setting) : html`<p class="lead">Errors of this project are tracked here. If they are tracked in Sentry, or another tracker with Sentry's API, link its project. SDKs that use a DSN of this project then get 403.</p>`}
    <div class="column">
      ${form.render(
        request,
        { action },
        html`
        ${form.field('api_url', {
          label: 'API URL of the project',
          hint: 'https://sentry.example.com/api/0/projects/shop/web/ for the project “web” of the organization “shop”.',
          invalid: 'Use an address of at most 255 characters.',
          attributes: { inputmode: 'url', spellcheck: 'false' }
        })}
        ${form.field('token', {
          type: 'password',
          label: 'Token',
          hint: setting?.trackerToken
            ? 'A token is stored. Leave empty to keep it. Another host requires its own token.'
            : 'Requires the scope project:read. It is stored encrypted and never shown again.',
          invalid: 'Use at most 1000 characters.',
          autocomplete: 'off'
        })}
        ${form.field('project_name', { label: 'Name (optional)', hint: 'Leave empty to use its name in the tracker.', invalid: 'Use at most 255 characters.' })}
        ${form.field('tracker_external_url', { label: 'Page of the project (optional)', hint: 'Leave empty to derive it from the API URL.', invalid: 'Use an http or https address of at most 255 characters.', attributes: { inputmode: 'url' } })}
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

function testAnswer({ name, externalUrl }: NonNullable<TrackerView['answer']>) {
  return html`
    <div class="made" role="status">
      <p>The tracker responded. Nothing was saved.</p>
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
