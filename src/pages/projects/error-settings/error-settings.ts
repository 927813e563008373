import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Check } from 'typebox/value'
import { changeSetting } from '../../../error-tracking/settings/change-setting.ts'
import { ClientKey } from '../../../error-tracking/settings/client-key.ts'
import { ErrorSetting } from '../../../error-tracking/settings/error-setting.ts'
import { SettingChanges } from '../../../error-tracking/settings/setting-schemas.ts'
import { checkbox, formOf, textArea } from '../../layout/field.ts'
import { flash } from '../../layout/flash.ts'
import { linesOf, textOf } from '../../layout/forms.ts'
import { html } from '../../layout/html.ts'
import { requirePerson } from '../../sign-in/require-sign-in.ts'
import { catchValidation, type PageContext, type Problems, pageContext } from '../page-context.ts'
import { projectPage } from '../project-page.ts'
import { clientKeyActions, clientKeyList, type RefusedKey } from './client-keys.ts'

const path = '/projects/:id/error_settings'

export async function errorSettingsPage(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app) }

  app.get(path, guard, async (request, reply) => showSettings(reply, await pageContext(request)))

  app.post(path, guard, async (request, reply) => {
    const context = await pageContext(request)
    const { em, project, admin, projectUrl } = context
    const values = readForm(request)
    const setting = await em.findOne(ErrorSetting, { projectId: project.id })

    if (!Check(SettingChanges, values)) return showSettings(reply.code(400), context, { values, problems: problemsOf(values) })
    const { problems } = await catchValidation(() => changeSetting(em, admin.config, { project, setting }, values, admin.actor))

    if (problems) return showSettings(reply.code(400), context, { values, problems })
    flash(reply, 'The settings are saved.')

    return reply.redirect(`${projectUrl}/error_settings`, 303)
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
  const setting = await em.findOne(ErrorSetting, { projectId: project.id })
  const keys = await em.find(ClientKey, { projectId: project.id }, { orderBy: { id: 'asc' }, limit: 100 })

  return projectPage(
    reply,
    context,
    { title: 'Error settings', tab: 'error_settings' },
    html`
    <h1>Error settings</h1>
    <p class="lead">How this project receives errors from Sentry SDKs.</p>
    <p><a class="button plain" href="${projectUrl}/error_settings/data">Data and privacy</a></p>
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

function problemsOf(values: Values): Problems {
  const names = (['filtered_releases', 'filtered_messages'] as const).filter(name => !Check(SettingChanges.properties[name], values[name]))

  return Object.fromEntries(names.map(name => [name, 'Use at most 100 lines of at most 250 characters.']))
}
