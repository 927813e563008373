import Type, { type Static } from 'typebox'

/** Whom a project's e-mail channel writes to. */
export const EmailSettings = Type.Object({
  roles: Type.Array(Type.Enum(['reporter', 'developer', 'maintainer', 'owner']), {
    default: [],
    uniqueItems: true,
    description: 'Members with one of these roles.'
  }),
  user_ids: Type.Array(Type.Integer(), { default: [], maxItems: 100, description: 'Members of the project.' }),
  assignees: Type.Boolean({ default: false, description: 'The assignees of the alert, error or incident.' }),
  addresses: Type.Array(Type.String({ maxLength: 255 }), {
    default: [],
    maxItems: 20,
    description: 'Other addresses, such as a mailing list.'
  })
})
export type EmailSettings = Static<typeof EmailSettings>
