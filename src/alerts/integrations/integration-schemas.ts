import Type from 'typebox'
import { Nullable } from '#lib/nullable.ts'
import { presets } from '../presets/presets.ts'
import { integrationKinds } from './integration.ts'

export const IntegrationParams = Type.Object({ id: Type.String(), integration_id: Type.Integer() })

const mappings =
  'For each attribute of an alert, the paths into the payload and the rules that are tried in order: `{"title": [["event", "name"], ["title"]], "status": [{"path": ["state"], "values": {"OK": "resolved"}}]}`.'
const PathShape = Type.Array(Type.Union([Type.String(), Type.Integer()]))
const RuleShape = Type.Object(
  {
    path: Type.Optional(PathShape),
    join: Type.Optional(Type.Array(PathShape)),
    separator: Type.Optional(Type.String()),
    template: Type.Optional(Type.String({ description: 'Text with fields, such as `{host.name} is {state}`.' })),
    constant: Type.Optional(Type.String()),
    values: Type.Optional(Type.Record(Type.String(), Type.String(), { description: 'Replaces the value; `*` matches all others.' })),
    when: Type.Optional(Type.Object({ path: PathShape, is: Type.Array(Type.String()) }, { description: 'A condition for the rule.' })),
    type: Type.Optional(Type.String({ description: 'Stored, but has no effect.' })),
    label: Type.Optional(Type.String({ description: 'Stored, but has no effect.' }))
  },
  { description: 'A value from a path, joined paths, a template or a constant.' }
)

export const IntegrationShape = Type.Object({
  id: Type.Integer(),
  project_id: Type.Integer(),
  type: Type.Enum([...integrationKinds]),
  name: Type.String(),
  active: Type.Boolean(),
  url: Nullable(Type.String({ description: 'The URL to send alerts to; null for an on-call link.' })),
  api_url: Nullable(Type.String()),
  external_url: Nullable(Type.String()),
  preset: Nullable(Type.String({ description: 'The preset whose mapping applies where `payload_attribute_mappings` has none.' })),
  payload_attribute_mappings: Type.Record(Type.String(), Type.Array(Type.Union([PathShape, RuleShape])), {
    description: mappings
  }),
  payload_example: Nullable(Type.String()),
  payload_alert_fields: Type.Array(Type.Object({ path: PathShape, label: Type.String(), type: Type.String() }), {
    description: 'The fields of the example that an attribute can be mapped to.'
  }),
  created_at: Type.String(),
  updated_at: Type.String()
})

export const IntegrationWithToken = Type.Object({
  ...IntegrationShape.properties,
  token: Type.String({ description: 'The authorization key, shown only in this response.' })
})

const changeable = {
  preset: Type.Optional(
    Nullable(
      Type.Enum(
        presets.map(({ name }) => name),
        { description: 'The sender. Its payloads need no custom mapping.' }
      )
    )
  ),
  active: Type.Optional(Type.Boolean({ description: 'An inactive integration refuses all requests.' })),
  api_url: Type.Optional(Nullable(Type.String({ description: 'Deprecated: the base URL of the metrics API. Stored, but not used.' }))),
  external_url: Type.Optional(Nullable(Type.String({ description: 'Deprecated: the On-call tool URL, for the type `on_call`.' }))),
  payload_attribute_mappings: Type.Optional(
    Type.Union([Type.Object({}, { additionalProperties: true }), Type.Array(Type.Object({}, { additionalProperties: true }))], {
      description: `${mappings} A single path or rule is also accepted, and so is GitLab’s list: \`[{"fieldName": "TITLE", "path": ["event", "name"], "type": "STRING"}]\`.`
    })
  ),
  payload_example: Type.Optional(Nullable(Type.String({ description: 'A sample payload as JSON, for editing the mapping.' })))
}

export const NewIntegrationBody = Type.Object({
  name: Type.String(),
  type: Type.Optional(Type.Enum([...integrationKinds], { description: 'Defaults to the type of the preset, or to `http`.' })),
  ...changeable
})

export const IntegrationBody = Type.Object({ name: Type.Optional(Type.String()), ...changeable })

export const TestBody = Type.Object({
  payload: Type.Union([Type.Object({}, { additionalProperties: true }), Type.String()], {
    description: 'The payload: an object, or JSON in a string.'
  })
})

/** The response that a monitoring tool would get. */
export const TestResponse = Type.Object({ status: Type.Integer(), body: Type.Unknown() })
