import type { FastifyInstance, FastifyRequest } from 'fastify'
import { changeIntegration } from '#alerts/integrations/change-integration.ts'
import { findLastPayload } from '#alerts/integrations/last-payload.ts'
import { sampleError } from '#alerts/integrations/sample-payload.ts'
import { redirect } from '#api/redirect.ts'
import { NotFound } from '#lib/refusals.ts'
import { attempt, inOneText, type Problems } from '../layout/attempt.ts'
import { flash } from '../layout/flash.ts'
import { textOf } from '../layout/forms.ts'
import { requirePerson } from '../sign-in/require-sign-in.ts'
import { type IntegrationContext, integrationContext } from './integration-page.ts'
import { readMappingForm, readMappingJson } from './mapping-form.ts'
import { mappingPage } from './mapping-page.ts'

const path = '/projects/:id/alert_integrations/:integration(^\\d{1,15}$)/mapping'

/** Edits the preset and the mapping of an integration, with the fields of a sample payload and a preview. */
export async function mappingForms(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app) }

  app.get<{ Querystring: { sample?: string } }>(path, guard, async (request, reply) => {
    const context = await mappingContext(request)
    const values = valuesOf(context)

    if (request.query.sample !== 'last') return mappingPage(reply, context, { values })
    const samplePayload = (await findLastPayload(context.em, context.integration)) ?? null
    const reason = samplePayload === null ? 'No alerts received yet.' : sampleError(samplePayload)

    return mappingPage(reply, context, {
      values: { ...values, samplePayload },
      isUnsaved: true,
      problems: reason ? { payload_example: reason } : {}
    })
  })

  app.post(path, guard, async (request, reply) => {
    const context = await mappingContext(request)
    const { values, problems: inForm } = await readMappingForm(request)

    if (textOf(request, 'step') !== 'save') return mappingPage(reply, context, { values, problems: inForm, isUnsaved: true })
    const problems = Object.keys(inForm).length > 0 ? inForm : await save(context, values)

    if (problems) return mappingPage(reply.code(400), context, { values, problems })
    flash(reply, 'Mapping saved.')

    return redirect(reply, `${context.integrationUrl}/mapping`)
  })

  app.post(`${path}/json`, guard, async (request, reply) => {
    const context = await mappingContext(request)
    const json = textOf(request, 'mapping_json')
    const read = await attempt(() => readMappingJson(json))
    const problems = read.problems ?? (await save(context, { mapping: read.result }))

    if (problems) {
      return mappingPage(reply.code(400), context, {
        values: valuesOf(context),
        json,
        problems: { mapping_json: inOneText(problems) }
      })
    }
    flash(reply, 'Mapping saved.')

    return redirect(reply, `${context.integrationUrl}/mapping`)
  })

  /** Returns what is wrong with the values. */
  async function save({ admin, integration }: IntegrationContext, values: object): Promise<Problems | undefined> {
    const { problems } = await attempt(() => changeIntegration(app.platform.fork(), admin, integration.id, values))

    return problems
  }
}

async function mappingContext(request: FastifyRequest): Promise<IntegrationContext> {
  const context = await integrationContext(request)

  if (context.integration.kind === 'on_call') throw new NotFound()

  return context
}

function valuesOf({ integration: { preset, mapping, samplePayload } }: IntegrationContext) {
  return { preset: preset ?? null, mapping, samplePayload: samplePayload ?? null }
}
