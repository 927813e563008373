import Type from 'typebox'
import { CommaSeparated } from '#api/parameters/coerce.ts'
import { Nullable } from '#api/parameters/nullable.ts'
import type { Application } from './application.ts'

export const NewApplicationBody = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 255 }),
  redirect_uri: Type.String({ maxLength: 20_000, description: 'One URI per line.' }),
  scopes: CommaSeparated(Type.String({ maxLength: 2000, description: 'Scopes, separated by spaces.' })),
  confidential: Type.Optional(Type.Boolean({ description: 'Whether it can keep a secret; `true` by default.' }))
})

export const ApplicationShape = Type.Object({
  id: Type.Integer(),
  application_id: Type.String({ description: 'The `client_id`.' }),
  application_name: Type.String(),
  callback_url: Type.String({ description: 'One URI per line.' }),
  confidential: Type.Boolean(),
  scopes: Type.Array(Type.String())
})

export const ApplicationWithSecret = Type.Object({
  ...ApplicationShape.properties,
  secret: Nullable(Type.String({ description: 'Shown only in this response; null for a public application.' }))
})

export function presentApplication({ id, uid, name, redirectUris, isConfidential, scopes }: Application) {
  return {
    id,
    application_id: uid,
    application_name: name,
    callback_url: redirectUris.join('\n'),
    confidential: isConfidential,
    scopes
  }
}
