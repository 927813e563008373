import Type from 'typebox'
import { Nullable } from '../../http/parameters/nullable.ts'
import { integrationKinds } from './integration.ts'

export const IntegrationParams = Type.Object({ id: Type.String(), integration_id: Type.Integer() })

const mappings =
  'For each attribute of an alert the paths into the payload that are tried in turn: `{"title": [["event", "name"], ["title"]]}`.'

export const IntegrationShape = Type.Object({
  id: Type.Integer(),
  project_id: Type.Integer(),
  type: Type.Enum([...integrationKinds]),
  name: Type.String(),
  active: Type.Boolean(),
  url: Nullable(Type.String({ description: 'Where to send alerts; an on-call link has none.' })),
  api_url: Nullable(Type.String()),
  external_url: Nullable(Type.String()),
  payload_attribute_mappings: Type.Record(Type.String(), Type.Array(Type.Array(Type.Union([Type.String(), Type.Integer()]))), {
    description: mappings
  }),
  payload_example: Nullable(Type.String()),
  payload_alert_fields: Type.Array(
    Type.Object({ path: Type.Array(Type.Union([Type.String(), Type.Integer()])), label: Type.String(), type: Type.String() }),
    { description: 'What the example holds that an attribute can be taken from.' }
  ),
  created_at: Type.String(),
  updated_at: Type.String()
})

/** With the key, which only this answer tells. */
export const IntegrationWithToken = Type.Object({
  ...IntegrationShape.properties,
  token: Type.String({ description: 'The authorization key. It is told this once.' })
})

const changeable = {
  active: Type.Optional(Type.Boolean({ description: 'An integration that is not receives nothing.' })),
  api_url: Type.Optional(Nullable(Type.String({ description: 'Deprecated: the base URL of the metrics API. Kept, and not used.' }))),
  external_url: Type.Optional(Nullable(Type.String({ description: 'Deprecated: where the on-call tool is, for the type `on_call`.' }))),
  payload_attribute_mappings: Type.Optional(
    Type.Object({}, { additionalProperties: true, description: `${mappings} One path alone will do.` })
  ),
  payload_example: Type.Optional(Nullable(Type.String({ description: 'A payload as JSON, to make the mapping with.' })))
}

export const NewIntegrationBody = Type.Object({
  name: Type.String(),
  type: Type.Optional(Type.Enum([...integrationKinds], { default: 'http' })),
  ...changeable
})

export const IntegrationBody = Type.Object({ name: Type.Optional(Type.String()), ...changeable })

export const TestBody = Type.Object({
  payload: Type.Union([Type.Object({}, { additionalProperties: true }), Type.String()], {
    description: 'What to send: an object, or JSON in a text.'
  })
})

/** What whoever sends it in earnest would be answered. */
export const TestAnswer = Type.Object({ status: Type.Integer(), body: Type.Unknown() })
