import type { FastifyInstance, FastifyReply } from 'fastify'
import { sendTestAlert } from '../../../alerts/integrations/send-test-alert.ts'
import { NotFound } from '../../../http/problems/problems.ts'
import { Role } from '../../../projects/members/member.ts'
import { formOf, textArea } from '../../layout/field.ts'
import { textOf } from '../../layout/forms.ts'
import { html } from '../../layout/html.ts'
import { requirePerson } from '../../sign-in/require-sign-in.ts'
import { examplePayload } from './examples.ts'
import { type IntegrationContext, integrationContext, integrationPage } from './integration-page.ts'

const path = '/projects/:id/alert_integrations/:integration(^\\d{1,15}$)/test'

/** Sends an alert by hand, and shows what its sender is told. */
export async function testAlertPage(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app) }

  app.get(path, guard, async (request, reply) => {
    const context = await integrationContext(request, Role.developer)
    const { kind, samplePayload } = context.integration

    if (kind === 'on_call') throw new NotFound()

    return trial(reply, context, { payload: samplePayload ?? examplePayload(kind, new Date()) })
  })

  app.post(path, guard, async (request, reply) => {
    const context = await integrationContext(request, Role.developer)
    const payload = textOf(request, 'payload')

    return trial(reply, context, { payload, answer: await sendTestAlert(app.platform, context.integration, payload) })
  })
}

interface Trial {
  payload: string
  answer?: Awaited<ReturnType<typeof sendTestAlert>>
}

function trial(reply: FastifyReply, context: IntegrationContext, { payload, answer }: Trial) {
  return integrationPage(
    reply,
    context,
    '/test',
    html`
    ${answer && result(answer)}
    <p>This goes the way of any other alert: it is stored, counted, and may make an incident.</p>
    ${formOf(
      reply.request,
      { action: `${context.integrationUrl}/test` },
      html`
      ${textArea({ name: 'payload', label: 'Payload', value: payload, isRequired: true, attributes: { class: 'code', rows: 14, spellcheck: 'false' } })}
      <button>Send test alert</button>`
    )}`
  )
}

function result({ status, body }: NonNullable<Trial['answer']>) {
  const isGood = status < 300

  return html`
    <section class="${isGood ? 'made' : 'problem'}" role="status">
      <p><strong>Answer: ${status}</strong> ${meaningOf(status, body)}</p>
      <pre tabindex="0" aria-label="The answer’s body">${JSON.stringify(body, null, 2)}</pre>
    </section>`
}

function meaningOf(status: number, body: unknown) {
  if (status === 202) return 'It is taken, and will be worked on; no worker was quick enough to say more.'
  if (status !== 200) return 'The sender is refused.'

  return Array.isArray(body) && body.length > 0
    ? 'These are the alerts it made, or counted once more.'
    : 'Nothing was made: it resolves what was not open.'
}
