import type { FastifyInstance, FastifyReply } from 'fastify'
import { changeIntegration, removeIntegration, resetKey } from '../../../alerts/integrations/change-integration.ts'
import { field, formOf, secretField } from '../../layout/field.ts'
import { flash } from '../../layout/flash.ts'
import { html } from '../../layout/html.ts'
import { requirePerson } from '../../sign-in/require-sign-in.ts'
import { attempt, type Problems, visitOf } from '../page-context.ts'
import { connect } from './connect.ts'
import { type IntegrationFields, integrationFields, readIntegrationForm } from './integration-form.ts'
import { addressOf, type IntegrationVisit, integrationPage, integrationVisitOf } from './integration-page.ts'

const path = '/projects/:id/alert_integrations/:integration(^\\d{1,15}$)'

/** What an integration is: its name, its address, its key, whether it is on, and its end. */
export async function integrationDetailsPage(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app) }

  app.get(path, guard, async (request, reply) => {
    const visit = await integrationVisitOf(request)

    return details(reply, visit, { values: valuesOf(visit) })
  })

  app.post(path, guard, async (request, reply) => {
    const visit = await integrationVisitOf(request)
    const values = readIntegrationForm(request)
    const { problems } = await attempt(() => changeIntegration(app.platform.fork(), visit.keeper, visit.integration.id, values))

    if (problems) return details(reply.code(400), visit, { values, problems })
    flash(reply, 'The integration is saved.')

    return reply.redirect(visit.home, 303)
  })

  app.post(`${path}/key`, guard, async (request, reply) => {
    const visit = await integrationVisitOf(request)
    const { key } = await resetKey(visit.em, visit.keeper, visit.integration.id)

    return connect(reply.code(201), visit, { key, isNews: true })
  })

  app.post(`${path}/removal`, guard, async (request, reply) => {
    const { em, keeper, root } = await visitOf(request)

    await removeIntegration(em, keeper, Number((request.params as { integration: string }).integration))
    flash(reply, 'The integration is removed.')

    return reply.redirect(`${root}/alert_integrations`, 303)
  })
}

function valuesOf({ integration: { name, active, apiUrl, externalUrl } }: IntegrationVisit): IntegrationFields {
  return { name, active, apiUrl: apiUrl ?? null, externalUrl: externalUrl ?? null }
}

function details(reply: FastifyReply, visit: IntegrationVisit, { values, problems }: { values: IntegrationFields; problems?: Problems }) {
  const { integration, home } = visit

  return integrationPage(
    reply,
    visit,
    '',
    html`
    ${formOf(reply.request, { action: home }, html`${integrationFields(integration.kind, values, problems)}<button>Save</button>`)}
    ${integration.kind !== 'on_call' && credentials(reply, visit)}
    <section class="danger">
      <h2>Remove the integration</h2>
      <p>Whatever sends to it is refused from then on. The alerts that came by it stay.</p>
      <details>
        <summary>Remove…</summary>
        ${formOf(reply.request, { action: `${home}/removal` }, html`<button>Remove ${integration.name}</button>`)}
      </details>
    </section>`
  )
}

function credentials(reply: FastifyReply, visit: IntegrationVisit) {
  return html`
    <h2>Address and key</h2>
    ${secretField({ name: 'url', label: 'URL', value: addressOf(visit), hint: 'Where to send alerts.' })}
    ${field({
      name: 'key',
      label: 'Authorization key',
      value: '••••••••••••••••••••••••••••••••',
      hint: 'It was shown when it was made. Only a hash of it is kept: whoever lost it needs a new one.',
      with: { disabled: true }
    })}
    ${formOf(reply.request, { action: `${visit.home}/key` }, html`<button class="plain">Reset the key</button><p class="hint">The old one stops working at once.</p>`)}`
}
