import type { FastifyInstance, FastifyReply } from 'fastify'
import { changeIntegration, removeIntegration, resetKey } from '#alerts/integrations/change-integration.ts'
import { readValues } from '#alerts/integrations/integration-routes.ts'
import { forgetMisfits } from '#alerts/integrations/misfit-store.ts'
import { presentIntegration } from '#alerts/integrations/present-integration.ts'
import { redirect } from '#api/redirect.ts'
import { field, formOf, secretField } from '../layout/field.ts'
import { flash } from '../layout/flash.ts'
import { Form, readForm } from '../layout/form.ts'
import { html } from '../layout/html.ts'
import { pageContext } from '../projects/page-context.ts'
import { requirePerson } from '../sign-in/require-sign-in.ts'
import { setKeyCookie } from './connect/key-cookie.ts'
import { type IntegrationFields, IntegrationForm, integrationFields } from './integration-form.ts'
import { type IntegrationContext, intakeUrl, integrationContext, integrationPage } from './integration-page.ts'

const path = '/projects/:id/alert_integrations/:integration(^\\d{1,15}$)'

/** The form of an integration, its key, and its deletion. */
export async function integrationDetailsPage(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app) }

  app.get(path, guard, async (request, reply) => {
    const context = await integrationContext(request)

    const stored = presentIntegration(context.integration, app.platform.config.baseUrl, context.project)

    return details(reply, context, new Form(IntegrationForm, stored))
  })

  app.post(path, guard, async (request, reply) => {
    const context = await integrationContext(request)
    const form = readForm(request, IntegrationForm)
    // A refused change must not show in the form's page.
    const saved = await form.save(body => changeIntegration(request.em.fork(), context.admin, context.integration.id, readValues(body)))

    if (!saved) return details(reply.code(400), context, form)
    flash(reply, 'Integration saved.')

    return redirect(reply, context.integrationUrl)
  })

  app.post(`${path}/key`, guard, async (request, reply) => {
    const context = await integrationContext(request)
    const { key } = await resetKey(context.em, context.admin, context.integration.id)

    setKeyCookie(reply, key)

    return redirect(reply, `${context.integrationUrl}/connect`)
  })

  app.post(`${path}/misfits/dismissal`, guard, async (request, reply) => {
    const { em, integration, integrationUrl } = await integrationContext(request)

    await forgetMisfits(em, integration.id)

    return redirect(reply, integrationUrl)
  })

  app.post(`${path}/removal`, guard, async (request, reply) => {
    const { em, admin, projectUrl } = await pageContext(request)

    await removeIntegration(em, admin, Number((request.params as { integration: string }).integration))
    flash(reply, 'Integration deleted.')

    return redirect(reply, `${projectUrl}/alert_integrations`)
  })
}

function details(reply: FastifyReply, context: IntegrationContext, form: IntegrationFields) {
  const { integration, integrationUrl } = context

  return integrationPage(
    reply,
    context,
    '',
    html`
    ${form.render(reply.request, { action: integrationUrl }, html`${integrationFields(integration.kind, form)}<button>Save</button>`)}
    ${integration.kind !== 'on_call' && credentials(reply, context)}
    <section class="danger">
      <h2>Delete the integration</h2>
      <p>Requests to its URL will be refused. Its alerts are kept.</p>
      <details>
        <summary>Delete…</summary>
        ${formOf(reply.request, { action: `${integrationUrl}/removal` }, html`<button>Delete ${integration.name}</button>`)}
      </details>
    </section>`
  )
}

function credentials(reply: FastifyReply, context: IntegrationContext) {
  return html`
    <h2>URL and key</h2>
    ${secretField({ name: 'url', label: 'URL', value: intakeUrl(context), hint: 'Send alerts to this URL.' })}
    ${field({
      name: 'key',
      label: 'Authorization key',
      value: '••••••••••••••••••••••••••••••••',
      hint: 'The key was shown when it was created. Only a hash of it is stored, so a lost key must be reset.',
      attributes: { disabled: true }
    })}
    ${formOf(reply.request, { action: `${context.integrationUrl}/key` }, html`<button class="plain">Reset the key</button><p class="hint">The old key stops working immediately.</p>`)}`
}
