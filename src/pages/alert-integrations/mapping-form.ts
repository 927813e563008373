import Type from 'typebox'
import { NewIntegrationBody } from '#alerts/integrations/integration-schemas.ts'
import { readMapping } from '#alerts/integrations/read-mapping.ts'
import { sampleError } from '#alerts/integrations/sample-payload.ts'
import { type Attribute, attributes, type Mapping } from '#alerts/parse/mapping.ts'
import { findPreset } from '#alerts/presets/presets.ts'
import { isObject } from '#lib/json.ts'
import { Nullable } from '#lib/nullable.ts'
import { ValidationFailed } from '#lib/refusals.ts'
import { asSentence, attempt } from '../layout/attempt.ts'
import { Form, type SentForm } from '../layout/form.ts'

const Sources = Type.Array(Type.String())

/** Each attribute has its sources as JSON, in the order they are tried. */
export const MappingForm = Type.Object({
  preset: NewIntegrationBody.properties.preset,
  payload_example: Nullable(Type.String()),
  ...(Object.fromEntries(attributes.map(attribute => [attribute, Sources])) as Record<Attribute, typeof Sources>)
})
/** A whole mapping, with rules. */
export const MappingJson = Type.Object({ mapping_json: Type.String() })

export interface MappingValues {
  preset: string | null
  mapping: Mapping
  samplePayload: string | null
}

export function formOfMapping({ preset, mapping, samplePayload }: MappingValues) {
  const sources = Object.entries(mapping).map(([attribute, sources]) => [attribute, sources.map(source => JSON.stringify(source))])

  return new Form(MappingForm, { preset, payload_example: samplePayload, ...Object.fromEntries(sources) })
}

/** The values of the form. Adds to it what is wrong with them; attributes with a problem have no mapping. */
export async function readMappingForm(form: SentForm<typeof MappingForm>): Promise<MappingValues> {
  const { preset, payload_example: samplePayload } = form.body
  const reason = samplePayload && sampleError(samplePayload)
  const mapping: Mapping = {}

  if (reason) form.problems.payload_example = asSentence(reason)
  for (const attribute of attributes) {
    const sources = [...new Set(form.body[attribute])].map(parseOrUndefined)
    const { result, problems } = await attempt(() => readMapping({ [attribute]: sources }))

    Object.assign(mapping, result)
    if (problems) form.problems[attribute] = problems.payload_attribute_mappings!
  }

  return { preset: findPreset(preset)?.name ?? null, mapping, samplePayload }
}

export function readMappingJson(text: string): Mapping {
  const mapping = parseOrUndefined(text)

  if (!isObject(mapping))
    throw new ValidationFailed({ payload_attribute_mappings: ['must be a JSON object, such as {"title": [["event", "name"]]}'] })

  return readMapping(mapping)
}

/** The value of a JSON text that a user typed or selected. */
export function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
