import Type from 'typebox'
import { Time } from '#api/parameters/time.ts'
import { Nullable } from '#lib/nullable.ts'

const tags = (description: string) =>
  Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 20, description }))

export const MuteBody = Type.Object({
  reason: Type.String({ minLength: 1, maxLength: 200, description: 'Such as the name of the maintenance.' }),
  environment: Type.Optional(
    Nullable(Type.String({ maxLength: 200, description: 'A pattern in which `*` matches any text; all when null.' }))
  ),
  tags: tags('Patterns such as `service=shop` that must all match a tag of an error, or a label or an attribute of an alert.'),
  labels: tags('Alias of `tags`.'),
  everything: Type.Optional(Type.Boolean({ description: 'Mutes the whole project. Required without an environment and tags.' })),
  starts_at: Type.Optional(Time('Now by default.')),
  ends_at: Time('When the mute ends and notifications are sent again.')
})

export const MuteShape = Type.Object({
  id: Type.Integer(),
  project_id: Type.Integer(),
  reason: Type.String(),
  environment: Nullable(Type.String()),
  tags: Type.Array(Type.String()),
  labels: Type.Array(Type.String(), { description: 'Alias of `tags`.' }),
  everything: Type.Boolean({ description: 'It mutes the whole project.' }),
  starts_at: Type.String(),
  ends_at: Type.String(),
  created_at: Type.String(),
  updated_at: Type.String()
})
