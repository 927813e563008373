import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify'
import { redirect } from '#api/redirect.ts'
import { changeClientKey, createClientKey, deleteClientKey } from '#errors/settings/change-client-keys.ts'
import { ClientKey } from '#errors/settings/client-key.ts'
import { ClientKeyChanges, presentKey } from '#errors/settings/setting-schemas.ts'
import { NotFound } from '#lib/refusals.ts'
import { formOf, secretField } from '../layout/field.ts'
import { flash } from '../layout/flash.ts'
import { Form, readForm } from '../layout/form.ts'
import { html } from '../layout/html.ts'
import { type PageContext, pageContext } from '../projects/page-context.ts'

const path = '/projects/:id/error_settings/client_keys'

/** A key whose form was refused. */
export interface RefusedKey {
  id: number
  form: Form<typeof ClientKeyChanges>
}

type ShowSettings = (reply: FastifyReply, context: PageContext, refused: { key: RefusedKey }) => Promise<FastifyReply>

export function clientKeyActions(app: FastifyInstance, guard: RouteShorthandOptions, showSettings: ShowSettings) {
  app.post(path, guard, async (request, reply) => {
    const { em, project, admin, projectUrl } = await pageContext(request)

    await createClientKey(em, project, {}, admin.actor)
    flash(reply, 'Client key created.')

    return redirect(reply, `${projectUrl}/error_settings`)
  })

  app.post<{ Params: { id: string; key: string } }>(`${path}/:key(^\\d{1,15}$)`, guard, async (request, reply) => {
    const context = await pageContext(request)
    const { em, project, admin, projectUrl } = context
    const key = await em.findOne(ClientKey, { id: Number(request.params.key), projectId: project.id })

    if (!key) throw new NotFound('Client key')
    const form = readForm(request, ClientKeyChanges)
    const saved = await form.save(({ name, active, events_per_minute: eventsPerMinute, allowed_origins: allowedOrigins }) =>
      changeClientKey(em, admin.config, { project, key }, { name, active, eventsPerMinute, allowedOrigins }, admin.actor)
    )

    if (!saved) return showSettings(reply.code(400), context, { key: { id: key.id, form } })
    flash(reply, 'Client key saved.')

    return redirect(reply, `${projectUrl}/error_settings`)
  })

  app.post<{ Params: { id: string; key: string } }>(`${path}/:key(^\\d{1,15}$)/deletion`, guard, async (request, reply) => {
    const { em, project, admin, projectUrl } = await pageContext(request)
    const key = await em.findOne(ClientKey, { id: Number(request.params.key), projectId: project.id })

    if (!key) throw new NotFound('Client key')
    await deleteClientKey(em, admin.config, { project, key }, admin.actor)
    flash(reply, 'Client key deleted.')

    return redirect(reply, `${projectUrl}/error_settings`)
  })
}

export function clientKeyList(request: FastifyRequest, context: PageContext, keys: ClientKey[], refused: RefusedKey | undefined) {
  return html`
    <h2>Client keys</h2>
    <p class="hint">SDKs are configured with the DSN of a key.</p>
    <div class="column">
      ${keys.map(key => keyForm(request, context, key, refused?.id === key.id ? refused.form : undefined))}
      ${formOf(request, { action: `${context.projectUrl}/error_settings/client_keys` }, html`<button class="plain">Create a client key</button>`)}
    </div>`
}

function keyForm(request: FastifyRequest, { projectUrl, admin }: PageContext, key: ClientKey, refused: RefusedKey['form'] | undefined) {
  const { baseUrl } = admin.config
  const form = refused ?? new Form(ClientKeyChanges, presentKey(key, baseUrl))
  const id = (field: string) => `${field}-${key.id}`

  const url = `${projectUrl}/error_settings/client_keys/${key.id}`

  return html`${form.render(
    request,
    { action: url },
    html`
    ${secretField({ id: id('dsn'), name: 'dsn', label: 'DSN', value: key.dsn(baseUrl) })}
    ${form.field('name', { id: id('name'), label: 'Name (optional)' })}
    ${form.textArea('allowed_origins', {
      id: id('allowed_origins'),
      label: 'Allowed origins (optional)',
      hint: 'Origins of pages that may send, one per line: https://shop.example.com, or *.example.com for a domain and its subdomains. Leave empty to allow any.',
      invalid: 'Use at most 100 lines such as https://shop.example.com or *.example.com.',
      attributes: { spellcheck: 'false' }
    })}
    ${form.field('events_per_minute', {
      id: id('events_per_minute'),
      label: 'Events per minute (optional)',
      hint: 'A whole number. Further events with this key are refused with 429. Leave empty for no limit.'
    })}
    ${form.checkbox('active', { value: String(key.id), label: 'Active', hint: 'SDKs with an inactive key get 403.' })}
    <button>Save</button>`
  )}
    <details class="confirm">
      <summary>Delete this key</summary>
      <p>SDKs that use its DSN get 403 immediately. To rotate a key, create a new one, update the SDKs, then delete the old one.</p>
      ${formOf(request, { action: `${url}/deletion` }, html`<button class="plain">Delete the key</button>`)}
    </details>`
}
