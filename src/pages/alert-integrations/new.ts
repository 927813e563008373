import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { addIntegration } from '#alerts/integrations/change-integration.ts'
import { type IntegrationKind, integrationKinds } from '#alerts/integrations/integration.ts'
import { readValues } from '#alerts/integrations/integration-routes.ts'
import type { Preset } from '#alerts/presets/preset.ts'
import { findPreset, presets } from '#alerts/presets/presets.ts'
import { redirect } from '#api/redirect.ts'
import { Form, readForm } from '../layout/form.ts'
import { html } from '../layout/html.ts'
import { type PageContext, pageContext } from '../projects/page-context.ts'
import { projectPage } from '../projects/project-page.ts'
import { requirePerson } from '../sign-in/require-sign-in.ts'
import { setKeyCookie } from './connect/key-cookie.ts'
import { type IntegrationFields, IntegrationForm, newIntegrationFields } from './integration-form.ts'
import { kindTexts } from './kinds.ts'

/** Choice of the tool, then the form, then the key and how to use it. */
export async function newIntegrationPage(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app) }

  app.get('/projects/:id/alert_integrations/new', guard, async (request, reply) => {
    const context = await pageContext(request)
    const kind = kindOf(request)

    return kind ? showForm(reply, context, kind, new Form(IntegrationForm, { active: true, ...presetOf(request) })) : choice(reply, context)
  })

  app.post('/projects/:id/alert_integrations/new', guard, async (request, reply) => {
    const context = await pageContext(request)
    const kind = kindOf(request) ?? 'http'
    const form = readForm(request, IntegrationForm)
    const saved = await form.save(body => addIntegration(context.em, context.admin, { ...readValues(body), name: body.name, kind }))

    if (!saved) return showForm(reply.code(400), context, kind, form)
    const { integration, key } = saved.result
    const integrationUrl = `${context.projectUrl}/alert_integrations/${integration.id}`

    if (kind === 'on_call') return redirect(reply, integrationUrl)
    setKeyCookie(reply, key)

    return redirect(reply, `${integrationUrl}/connect`)
  })
}

function kindOf({ query }: FastifyRequest) {
  return integrationKinds.find(kind => kind === (query as { type?: string }).type)
}

function presetOf({ query }: FastifyRequest) {
  const preset = findPreset((query as { preset?: string }).preset)

  return preset && { preset: preset.name, name: preset.label }
}

/** The tool first: what it sends decides the kind of the integration. */
function choice(reply: FastifyReply, context: PageContext) {
  const tool = (name: string, query: string, hint?: string) =>
    html`<li><a href="?${query}"><strong>${name}</strong>${hint && html`<span class="hint">${hint}</span>`}</a></li>`

  return projectPage(
    reply,
    context,
    { title: 'New integration', tab: 'alert_integrations' },
    html`
    <h1>New integration</h1>
    <p class="lead">Which tool sends the alerts?</p>
    <ul class="tools">
      ${firstTools.map(name => tool(findPreset(name)!.label, toolQuery(findPreset(name)!)))}
      ${presets.filter(({ name }) => !firstTools.includes(name)).map(preset => tool(preset.label, toolQuery(preset)))}
      ${tool('Webhook', 'type=http', 'Any tool or script that sends JSON')}
    </ul>
    <p class="hint">Also: an <a href="?type=on_call">on-call link</a> to an external tool, which receives no alerts (deprecated).</p>`
  )
}

const firstTools = ['alertmanager', 'grafana', 'prometheus']

function toolQuery({ kind, name }: Preset) {
  return new URLSearchParams({ type: kind, preset: name }).toString()
}

function showForm(reply: FastifyReply, context: PageContext, kind: IntegrationKind, form: IntegrationFields) {
  const sender = findPreset(form.text('preset'))

  return projectPage(
    reply,
    context,
    { title: 'New integration', tab: 'alert_integrations' },
    html`
    <h1>New integration: ${sender?.label ?? kindTexts[kind].name}</h1>
    ${!sender && html`<p class="lead">${kindTexts[kind].description}</p>`}
    <div class="column">${form.render(reply.request, { action: `?${new URLSearchParams({ type: kind, ...(sender && { preset: sender.name }) })}` }, html`${newIntegrationFields(kind, form)}<button>Create integration</button>`)}</div>`
  )
}
