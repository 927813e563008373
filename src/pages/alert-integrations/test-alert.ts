import type { FastifyInstance, FastifyReply } from 'fastify'
import Type from 'typebox'
import { NotFound } from '#lib/refusals.ts'
import { Role } from '#projects/members/member.ts'
import { Form, readForm } from '../layout/form.ts'
import { html } from '../layout/html.ts'
import { requirePerson } from '../sign-in/require-sign-in.ts'
import { examplePayload } from './examples.ts'
import { type IntegrationContext, integrationContext, integrationPage } from './integration-page.ts'
import { type TestResponse, testResponse } from './test-response.ts'

const path = '/projects/:id/alert_integrations/:integration(^\\d{1,15}$)/test'

/** Any text is accepted: the response shows what is wrong with it. */
const TestForm = Type.Object({ payload: Type.String() })

/** Sends an alert by hand and shows the response. */
export async function testAlertPage(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app) }

  app.get(path, guard, async (request, reply) => {
    const context = await integrationContext(request, Role.developer)
    const { kind, samplePayload } = context.integration

    if (kind === 'on_call') throw new NotFound()

    return renderTest(reply, context, { form: new Form(TestForm, { payload: samplePayload ?? examplePayload(kind, new Date()) }) })
  })

  app.post(path, guard, async (request, reply) => {
    const context = await integrationContext(request, Role.developer)
    const form = readForm(request, TestForm)
    const response = await testResponse(request, context.integration, form.body.payload)

    return renderTest(reply, context, { form, response })
  })
}

interface TestAlert {
  form: Form<typeof TestForm>
  response?: TestResponse
}

function renderTest(reply: FastifyReply, context: IntegrationContext, { form, response }: TestAlert) {
  return integrationPage(
    reply,
    context,
    '/test',
    html`
    ${response && renderResponse(response)}
    <p>A test alert is a real one: it is stored, counted, and may open an incident.</p>
    ${form.render(
      reply.request,
      { action: `${context.integrationUrl}/test` },
      html`
      ${form.textArea('payload', { label: 'Payload', isRequired: true, attributes: { class: 'code', rows: 14, spellcheck: 'false' } })}
      <button>Send test alert</button>`
    )}`
  )
}

function renderResponse({ status, body }: TestResponse) {
  const isSuccess = status < 300

  return html`
    <section class="${isSuccess ? 'made' : 'problem'}" role="status">
      <p><strong>Response: ${status}</strong> ${explain(status, body)}</p>
      <pre tabindex="0" aria-label="Response body">${JSON.stringify(body, null, 2)}</pre>
    </section>`
}

function explain(status: number, body: unknown) {
  if (status === 202) return 'Accepted. The workers have a backlog and will process it later.'
  if (status !== 200) return 'Refused.'

  return Array.isArray(body) && body.length > 0
    ? 'The alerts it created, updated or resolved.'
    : 'No alert was created: the payload resolves an alert that is not open, or is skipped.'
}
