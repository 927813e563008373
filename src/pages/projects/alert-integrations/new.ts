import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { addIntegration } from '../../../alerts/integrations/change-integration.ts'
import { type IntegrationKind, integrationKinds } from '../../../alerts/integrations/integration.ts'
import { formOf } from '../../layout/field.ts'
import { html } from '../../layout/html.ts'
import { requirePerson } from '../../sign-in/require-sign-in.ts'
import { attempt, type Problems, type Visit, visitOf } from '../page-context.ts'
import { projectPage } from '../project-page.ts'
import { connect } from './connect.ts'
import { type IntegrationFields, integrationFields, readIntegrationForm } from './integration-form.ts'
import { kinds } from './kinds.ts'

/** A new integration: first what kind of one, then what it is called; in the end its key, and how to use it. */
export async function newIntegrationPage(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app) }

  app.get('/projects/:id/alert_integrations/new', guard, async (request, reply) => {
    const visit = await visitOf(request)
    const kind = kindOf(request)

    return kind ? form(reply, visit, { kind }) : choice(reply, visit)
  })

  app.post('/projects/:id/alert_integrations/new', guard, async (request, reply) => {
    const visit = await visitOf(request)
    const kind = kindOf(request) ?? 'http'
    const values = readIntegrationForm(request)
    const { done, problems } = await attempt(() => addIntegration(visit.em, visit.keeper, { ...values, kind }))

    if (!done) return form(reply.code(400), visit, { kind, values, problems })
    const { integration, key } = done
    const home = `${visit.root}/alert_integrations/${integration.id}`

    return kind === 'on_call' ? reply.redirect(home, 303) : connect(reply.code(201), { ...visit, integration, home }, { key, isNews: true })
  })
}

function kindOf({ query }: FastifyRequest) {
  return integrationKinds.find(kind => kind === (query as { type?: string }).type)
}

function choice(reply: FastifyReply, visit: Visit) {
  return projectPage(
    reply,
    visit,
    { title: 'New integration', tab: 'alert_integrations' },
    html`
    <h1>New integration</h1>
    <p class="lead">What will send the alerts?</p>
    <ul class="rows">
      ${integrationKinds.map(
        kind => html`
        <li>
          <div>
            <p><strong>${kinds[kind].name}</strong> ${kinds[kind].isDeprecated && html`<span class="badge">deprecated</span>`}</p>
            <p class="hint">${kinds[kind].about}</p>
          </div>
          <a class="button plain" href="?type=${kind}" aria-label="Choose ${kinds[kind].name}">Choose</a>
        </li>`
      )}
    </ul>`
  )
}

interface Given {
  kind: IntegrationKind
  values?: IntegrationFields
  problems?: Problems
}

const blank = { name: '', active: true, apiUrl: null, externalUrl: null }

function form(reply: FastifyReply, visit: Visit, { kind, values = blank, problems }: Given) {
  return projectPage(
    reply,
    visit,
    { title: 'New integration', tab: 'alert_integrations' },
    html`
    <h1>New integration: ${kinds[kind].name}</h1>
    <p class="lead">${kinds[kind].about}</p>
    <div class="column">${formOf(reply.request, { action: `?type=${kind}` }, html`${integrationFields(kind, values, problems)}<button>Make integration</button>`)}</div>`
  )
}
