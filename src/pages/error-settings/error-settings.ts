import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { redirect } from '#api/redirect.ts'
import { ClientKey } from '#errors/settings/client-key.ts'
import { SettingChanges } from '#errors/settings/setting-schemas.ts'
import { maxPatternLength } from '#errors/settings/source-pattern.ts'
import { flash } from '../layout/flash.ts'
import { type Form, readForm } from '../layout/form.ts'
import { html } from '../layout/html.ts'
import { type PageContext, pageContext } from '../projects/page-context.ts'
import { requirePerson } from '../sign-in/require-sign-in.ts'
import { clientKeyActions, clientKeyList, type RefusedKey } from './client-keys.ts'
import { findSetting, saveSetting, storedForm } from './save-setting.ts'
import { settingsPage } from './settings-page.ts'

const path = '/projects/:id/error_settings'
const Fields = Type.Pick(SettingChanges, [
  'active',
  'filter_browser_extensions',
  'filter_web_crawlers',
  'filter_localhost',
  'filtered_releases',
  'filtered_messages',
  'source_link'
])

const sourceLinks = [
  ['GitHub', 'https://github.com/acme/shop/blob/{commit}/{path}#L{line}'],
  ['GitLab', 'https://gitlab.com/acme/shop/-/blob/{commit}/{path}#L{line}'],
  ['Gitea, Forgejo', 'https://codeberg.org/acme/shop/src/commit/{commit}/{path}#L{line}']
]

export async function errorSettingsPage(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app) }

  app.get(path, guard, async (request, reply) => showSettings(reply, await pageContext(request)))

  app.post(path, guard, async (request, reply) => {
    const context = await pageContext(request)
    const form = readForm(request, Fields)

    if (!(await saveSetting(context, form))) return showSettings(reply.code(400), context, { form })
    flash(reply, 'Settings saved.')

    return redirect(reply, `${context.projectUrl}/error_settings`)
  })

  clientKeyActions(app, guard, showSettings)
}

interface Refused {
  form?: Form<typeof Fields>
  key?: RefusedKey
}

async function showSettings(reply: FastifyReply, context: PageContext, { form, key }: Refused = {}) {
  const { em, project, projectUrl } = context
  const setting = await findSetting(context)
  const keys = await em.find(ClientKey, { projectId: project.id }, { orderBy: { id: 'asc' }, limit: 100 })

  return settingsPage(
    reply,
    context,
    '',
    html`
    <p class="lead">How this project receives errors from Sentry SDKs.</p>
    ${setting?.integrated === false && html`<p class="problem">Errors of this project are tracked by <a href="${projectUrl}/error_settings/tracker">an external tracker</a>. SDKs get 403, regardless of these settings.</p>`}
    <div class="column">${fields(reply.request, `${projectUrl}/error_settings`, form ?? (await storedForm(context, Fields)))}</div>
    ${clientKeyList(reply.request, context, keys, key)}`
  )
}

function fields(request: FastifyRequest, action: string, form: Form<typeof Fields>) {
  const patterns = { invalid: 'Use at most 100 lines of at most 250 characters.', attributes: { rows: 4, spellcheck: 'false' } }

  return form.render(
    request,
    { action },
    html`
    ${form.checkbox('active', { label: 'Accept errors', hint: 'If off, events are refused (403).' })}
    <h2>Inbound filters</h2>
    <p class="hint">Filtered events are not stored. Statistics count them by filter.</p>
    ${form.checkbox('filter_browser_extensions', { label: 'Browser extensions', hint: 'Errors from extensions and the scripts they inject.' })}
    ${form.checkbox('filter_web_crawlers', { label: 'Web crawlers', hint: 'Events from crawlers such as Googlebot, recognized by User-Agent.' })}
    ${form.checkbox('filter_localhost', { label: 'Localhost', hint: 'Events from pages and users on localhost.' })}
    ${form.textArea('filtered_releases', { label: 'Releases (optional)', hint: 'One per line; * matches any text: shop@1.*', ...patterns })}
    ${form.textArea('filtered_messages', { label: 'Error messages (optional)', hint: 'One per line, compared with the message and with “Type: message”; * matches any text: *ResizeObserver*', ...patterns })}
    <h2>Source code</h2>
    ${form.field('source_link', {
      label: 'Source link (optional)',
      hint: 'Address of a file that a frame of a stack trace links to, with {path}, {line}, {commit}, {ref} and {release}. Leave empty for the code of this project.',
      invalid: `Use an address of at most ${maxPatternLength} characters.`,
      attributes: { inputmode: 'url', spellcheck: 'false' }
    })}
    <dl class="facts">${sourceLinks.map(([name, pattern]) => html`<div><dt>${name}</dt><dd><code>${pattern}</code></dd></div>`)}</dl>
    <button>Save</button>`
  )
}
