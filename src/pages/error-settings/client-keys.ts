import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify'
import { Check } from 'typebox/value'
import { NotFound } from '#api/problems/problems.ts'
import { redirect } from '#api/redirect.ts'
import { changeClientKey, createClientKey, deleteClientKey } from '#errors/settings/change-client-keys.ts'
import { ClientKey } from '#errors/settings/client-key.ts'
import { ClientKeyChanges } from '#errors/settings/setting-schemas.ts'
import { checkbox, field, formOf, secretField, textArea } from '../layout/field.ts'
import { flash } from '../layout/flash.ts'
import { linesOf, textOf } from '../layout/forms.ts'
import { html } from '../layout/html.ts'
import { type PageContext, pageContext } from '../projects/page-context.ts'

const path = '/projects/:id/error_settings/client_keys'

/** A key whose form was refused, with what was entered. */
export interface RefusedKey {
  id: number
  name: string | null
  allowedOrigins: string[]
  eventsPerMinute?: number | null
  active: boolean
}

type ShowSettings = (reply: FastifyReply, context: PageContext, refused: { key: RefusedKey }) => Promise<FastifyReply>

export function clientKeyActions(app: FastifyInstance, guard: RouteShorthandOptions, showSettings: ShowSettings) {
  app.post(path, guard, async (request, reply) => {
    const { em, project, admin, projectUrl } = await pageContext(request)

    await createClientKey(em, project, {}, admin.actor)
    flash(reply, 'The client key is created.')

    return redirect(reply, `${projectUrl}/error_settings`)
  })

  app.post<{ Params: { id: string; key: string } }>(`${path}/:key(^\\d{1,15}$)`, guard, async (request, reply) => {
    const context = await pageContext(request)
    const { em, project, admin, projectUrl } = context
    const key = await em.findOne(ClientKey, { id: Number(request.params.key), projectId: project.id })
    const changes = readForm(request)

    if (!key) throw new NotFound('Client key')
    const isValid = Check(ClientKeyChanges, {
      name: changes.name,
      allowed_origins: changes.allowedOrigins,
      events_per_minute: changes.eventsPerMinute
    })

    if (!isValid) return showSettings(reply.code(400), context, { key: { ...changes, id: key.id } })
    await changeClientKey(em, admin.config, { project, key }, changes, admin.actor)
    flash(reply, 'The client key is saved.')

    return redirect(reply, `${projectUrl}/error_settings`)
  })

  app.post<{ Params: { id: string; key: string } }>(`${path}/:key(^\\d{1,15}$)/deletion`, guard, async (request, reply) => {
    const { em, project, admin, projectUrl } = await pageContext(request)
    const key = await em.findOne(ClientKey, { id: Number(request.params.key), projectId: project.id })

    if (!key) throw new NotFound('Client key')
    await deleteClientKey(em, admin.config, { project, key }, admin.actor)
    flash(reply, 'The client key is deleted.')

    return redirect(reply, `${projectUrl}/error_settings`)
  })
}

export function clientKeyList(request: FastifyRequest, context: PageContext, keys: ClientKey[], refused: RefusedKey | undefined) {
  return html`
    <h2>Client keys</h2>
    <p class="hint">SDKs are configured with the DSN of a key.</p>
    <div class="column">
      ${keys.map(key => keyForm(request, context, key, refused?.id === key.id ? refused : undefined))}
      ${formOf(request, { action: `${context.projectUrl}/error_settings/client_keys` }, html`<button class="plain">Create a client key</button>`)}
    </div>`
}

function keyForm(request: FastifyRequest, { projectUrl, admin }: PageContext, key: ClientKey, refused: RefusedKey | undefined) {
  const { name, active, allowedOrigins, eventsPerMinute } = refused ?? key
  const isQuotaWrong = eventsPerMinute != null && !(Number.isInteger(eventsPerMinute) && eventsPerMinute > 0)
  const id = (field: string) => `${field}-${key.id}`

  const url = `${projectUrl}/error_settings/client_keys/${key.id}`

  return html`${formOf(
    request,
    { action: url },
    html`
    ${secretField({ id: id('dsn'), name: 'dsn', label: 'DSN', value: key.dsn(admin.config.baseUrl) })}
    ${field({ id: id('name'), name: 'name', label: 'Name (optional)', value: name ?? '', attributes: { maxlength: 100 } })}
    ${textArea({
      id: id('allowed_origins'),
      name: 'allowed_origins',
      label: 'Allowed origins (optional)',
      value: allowedOrigins.join('\n'),
      hint: 'Origins of pages that may send, one per line: https://shop.example.com, or *.example.com for a domain and its subdomains. Empty: any.',
      error: refused && !isQuotaWrong ? 'Use at most 100 lines such as https://shop.example.com or *.example.com.' : undefined,
      attributes: { rows: 3, spellcheck: 'false' }
    })}
    ${field({
      id: id('events_per_minute'),
      name: 'events_per_minute',
      label: 'Events a minute (optional)',
      value: eventsPerMinute == null ? '' : String(eventsPerMinute),
      hint: 'A whole number. Further events with this key are refused with 429. Empty: no limit.',
      error: isQuotaWrong ? 'Use a whole number from 1.' : undefined,
      attributes: { class: 'short', inputmode: 'numeric' }
    })}
    ${checkbox({ name: 'active', value: String(key.id), label: 'Active', hint: 'SDKs with an inactive key get 403.', isChecked: active })}
    <button>Save</button>`
  )}
    <details class="confirm">
      <summary>Delete this key</summary>
      <p>SDKs with its DSN get 403 at once. To rotate a key, create a new one, change the SDKs, and then delete the old one.</p>
      ${formOf(request, { action: `${url}/deletion` }, html`<button class="plain">Delete the key</button>`)}
    </details>`
}

function readForm(request: FastifyRequest) {
  const limit = textOf(request, 'events_per_minute').trim()

  return {
    name: textOf(request, 'name').trim() || null,
    allowedOrigins: linesOf(request, 'allowed_origins'),
    eventsPerMinute: limit === '' ? null : Number(limit),
    active: textOf(request, 'active') !== ''
  }
}
