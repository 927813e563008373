import Type from 'typebox'

/** RFC 6749 §5.1. */
export const TokenResponse = Type.Object({
  access_token: Type.String(),
  token_type: Type.Literal('bearer'),
  expires_in: Type.Integer({ description: 'Seconds.' }),
  refresh_token: Type.Optional(Type.String()),
  scope: Type.String({ description: 'Separated by spaces.' }),
  created_at: Type.Optional(Type.Integer({ description: 'Unix time.' })),
  id_token: Type.Optional(Type.String())
})

export type TokenResponse = Type.Static<typeof TokenResponse>
