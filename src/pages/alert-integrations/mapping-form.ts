import type { FastifyRequest } from 'fastify'
import { readMapping } from '#alerts/integrations/read-mapping.ts'
import { sampleError } from '#alerts/integrations/sample-payload.ts'
import { attributes, type Mapping } from '#alerts/parse/mapping.ts'
import { findPreset } from '#alerts/presets/presets.ts'
import { isObject } from '#lib/json.ts'
import { ValidationFailed } from '#lib/refusals.ts'
import { attempt, type Problems } from '../layout/attempt.ts'
import { chosenOf, textOf } from '../layout/forms.ts'

export interface MappingForm {
  preset: string | null
  mapping: Mapping
  samplePayload: string | null
}

/** The values of the form, and what is wrong with them by field. Attributes with a problem have no mapping. */
export async function readMappingForm(request: FastifyRequest): Promise<{ values: MappingForm; problems: Problems }> {
  const samplePayload = textOf(request, 'payload_example').trim() || null
  const reason = samplePayload && sampleError(samplePayload)
  const problems: Problems = reason ? { payload_example: `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.` } : {}
  const mapping: Mapping = {}

  for (const attribute of attributes) {
    const sources = [...new Set(chosenOf(request, attribute).filter(source => source !== ''))].map(parseOrUndefined)
    const read = await attempt(() => readMapping({ [attribute]: sources }))

    Object.assign(mapping, read.result)
    Object.assign(problems, read.problems && { [attribute]: read.problems.payload_attribute_mappings })
  }

  return { values: { preset: findPreset(textOf(request, 'preset'))?.name ?? null, mapping, samplePayload }, problems }
}

/** A whole mapping, with rules. */
export function readMappingJson(text: string): Mapping {
  const mapping = parseOrUndefined(text)

  if (!isObject(mapping))
    throw new ValidationFailed({ payload_attribute_mappings: ['must be a JSON object, such as {"title": [["event", "name"]]}'] })

  return readMapping(mapping)
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
