import Type from 'typebox'
import { AvatarParameter } from '#api/avatars.ts'

const Text = Type.Optional(Type.String({ maxLength: 255 }))
const Flag = Type.Optional(Type.Boolean())

/** Attributes that an admin may set. Up to API version 4, `null` resets `private_profile`. */
export const userAttributes = {
  email: Text,
  username: Text,
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
  password: Type.Optional(Type.String({ maxLength: 128 })),
  admin: Flag,
  external: Flag,
  can_create_group: Flag,
  projects_limit: Type.Optional(Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1, description: 'Of the personal namespace.' })),
  private_profile: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
  note: Type.Optional(Type.Union([Type.String({ maxLength: 10_000 }), Type.Null()])),
  bio: Text,
  location: Text,
  organization: Text,
  job_title: Text,
  website_url: Text,
  public_email: Text,
  avatar: AvatarParameter
}

const Attributes = Type.Object(userAttributes)
/** `avatar` is the name of the stored file; null removes it. */
export type UserAttributes = Omit<Type.Static<typeof Attributes>, 'avatar'> & { avatar?: string | null }
