import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { redirect } from '#api/redirect.ts'
import { ClientKey } from '#errors/settings/client-key.ts'
import type { ErrorSetting } from '#errors/settings/error-setting.ts'
import { checkbox, formOf, textArea } from '../layout/field.ts'
import { flash } from '../layout/flash.ts'
import { linesOf, textOf } from '../layout/forms.ts'
import { html } from '../layout/html.ts'
import { type PageContext, type Problems, pageContext } from '../projects/page-context.ts'
import { requirePerson } from '../sign-in/require-sign-in.ts'
import { clientKeyActions, clientKeyList, type RefusedKey } from './client-keys.ts'
import { findSetting, saveSetting } from './save-setting.ts'
import { settingsPage } from './settings-page.ts'

const path = '/projects/:id/error_settings'
const patternReason = 'Use at most 100 lines of at most 250 characters.'

export async function errorSettingsPage(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app) }

  app.get(path, guard, async (request, reply) => showSettings(reply, await pageContext(request)))

  app.post(path, guard, async (request, reply) => {
    const context = await pageContext(request)
    const values = readForm(request)
    const problems = await saveSetting(context, values, { filtered_releases: patternReason, filtered_messages: patternReason })

    if (problems) return showSettings(reply.code(400), context, { values, problems })
    flash(reply, 'The settings are saved.')

    return redirect(reply, `${context.projectUrl}/error_settings`)
  })

  clientKeyActions(app, guard, showSettings)
}

type Values = ReturnType<typeof readForm>

interface Refused {
  values?: Values
  problems?: Problems
  key?: RefusedKey
}

async function showSettings(reply: FastifyReply, context: PageContext, { values, problems = {}, key }: Refused = {}) {
  const { em, project, projectUrl } = context
  const setting = await findSetting(context)
  const keys = await em.find(ClientKey, { projectId: project.id }, { orderBy: { id: 'asc' }, limit: 100 })

  return settingsPage(
    reply,
    context,
    '',
    html`
    <p class="lead">How this project receives errors from Sentry SDKs.</p>
    ${setting?.integrated === false && html`<p class="problem">Errors of this project are tracked by <a href="${projectUrl}/error_settings/tracker">an external tracker</a>. SDKs get 403, whatever is set here.</p>`}
    <div class="column">${formOf(reply.request, { action: `${projectUrl}/error_settings` }, fields(values ?? valuesOf(setting), problems))}</div>
    ${clientKeyList(reply.request, context, keys, key)}`
  )
}

function fields(values: Values, problems: Problems) {
  const option = (name: keyof Values, label: string, hint: string) =>
    checkbox({ name, value: 'true', label, hint, isChecked: values[name] === true })
  const patterns = (name: 'filtered_releases' | 'filtered_messages', label: string, hint: string) =>
    textArea({ name, label, value: values[name].join('\n'), hint, error: problems[name], attributes: { rows: 4, spellcheck: 'false' } })

  return html`
    ${problems.base && html`<p class="problem">${problems.base}</p>`}
    ${option('active', 'Accept errors', 'Otherwise SDKs get 403.')}
    <h2>Inbound filters</h2>
    <p class="hint">Filtered events are not stored. Statistics count them by filter.</p>
    ${option('filter_browser_extensions', 'Browser extensions', 'Errors of extensions and of scripts that they inject.')}
    ${option('filter_web_crawlers', 'Web crawlers', 'Events of crawlers such as Googlebot, by their User-Agent.')}
    ${option('filter_localhost', 'Localhost', 'Events of pages and users on localhost.')}
    ${patterns('filtered_releases', 'Releases (optional)', 'One per line; * stands for any text: shop@1.*')}
    ${patterns('filtered_messages', 'Error messages (optional)', 'One per line, compared with the message and with “Type: message”; * stands for any text: *ResizeObserver*')}
    <button>Save</button>`
}

function readForm(request: FastifyRequest) {
  const isChecked = (name: string) => textOf(request, name) !== ''

  return {
    active: isChecked('active'),
    filter_browser_extensions: isChecked('filter_browser_extensions'),
    filter_web_crawlers: isChecked('filter_web_crawlers'),
    filter_localhost: isChecked('filter_localhost'),
    filtered_releases: linesOf(request, 'filtered_releases'),
    filtered_messages: linesOf(request, 'filtered_messages')
  }
}

function valuesOf(setting: ErrorSetting | null): Values {
  return {
    active: setting?.active ?? false,
    filter_browser_extensions: setting?.filtersBrowserExtensions ?? false,
    filter_web_crawlers: setting?.filtersWebCrawlers ?? false,
    filter_localhost: setting?.filtersLocalhost ?? false,
    filtered_releases: setting?.filteredReleases ?? [],
    filtered_messages: setting?.filteredMessages ?? []
  }
}
