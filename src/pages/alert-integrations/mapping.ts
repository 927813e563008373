import type { FastifyInstance, FastifyRequest } from 'fastify'
import { changeIntegration } from '#alerts/integrations/change-integration.ts'
import { findLastPayload } from '#alerts/integrations/last-payload.ts'
import { sampleError } from '#alerts/integrations/sample-payload.ts'
import { redirect } from '#api/redirect.ts'
import { NotFound } from '#lib/refusals.ts'
import { asSentence } from '../layout/attempt.ts'
import { flash } from '../layout/flash.ts'
import { readForm } from '../layout/form.ts'
import { textOf } from '../layout/forms.ts'
import { requirePerson } from '../sign-in/require-sign-in.ts'
import { type IntegrationContext, integrationContext } from './integration-page.ts'
import { formOfMapping, MappingForm, MappingJson, readMappingForm, readMappingJson } from './mapping-form.ts'
import { mappingPage } from './mapping-page.ts'

const path = '/projects/:id/alert_integrations/:integration(^\\d{1,15}$)/mapping'

/** Edits the preset and the mapping of an integration, with the fields of a sample payload and a preview. */
export async function mappingForms(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app) }

  app.get<{ Querystring: { sample?: string } }>(path, guard, async (request, reply) => {
    const context = await mappingContext(request)
    const stored = valuesOf(context)

    if (request.query.sample !== 'last') return mappingPage(reply, context, { values: stored, form: formOfMapping(stored) })
    const samplePayload = (await findLastPayload(context.em, context.integration)) ?? null
    const reason = samplePayload === null ? 'No alerts received yet' : sampleError(samplePayload)
    const values = { ...stored, samplePayload }
    const form = formOfMapping(values)

    if (reason) form.problems.payload_example = asSentence(reason)

    return mappingPage(reply, context, { values, form, isUnsaved: true })
  })

  app.post(path, guard, async (request, reply) => {
    const context = await mappingContext(request)
    const form = readForm(request, MappingForm)
    const values = await readMappingForm(form)

    if (textOf(request, 'step') !== 'save') return mappingPage(reply, context, { values, form, isUnsaved: true })
    if (!(await form.save(() => save(context, values)))) return mappingPage(reply.code(400), context, { values, form })
    flash(reply, 'Mapping saved.')

    return redirect(reply, `${context.integrationUrl}/mapping`)
  })

  app.post(`${path}/json`, guard, async (request, reply) => {
    const context = await mappingContext(request)
    const json = readForm(request, MappingJson)
    const saved = await json.save(({ mapping_json: text }) => save(context, { mapping: readMappingJson(text) }))
    const values = valuesOf(context)

    if (!saved) return mappingPage(reply.code(400), context, { values, form: formOfMapping(values), json })
    flash(reply, 'Mapping saved.')

    return redirect(reply, `${context.integrationUrl}/mapping`)
  })

  function save({ admin, integration }: IntegrationContext, values: object) {
    return changeIntegration(app.platform.fork(), admin, integration.id, values)
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
