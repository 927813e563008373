import Type from 'typebox'
import { Time } from '#api/parameters/time.ts'

const Flag = Type.Optional(Type.Boolean())
const Timestamp = Type.Optional(Time())

export const userFilters = {
  search: Type.Optional(Type.String({ maxLength: 255, description: 'Part of a name or username, or a full e-mail address.' })),
  username: Type.Optional(Type.String({ maxLength: 255 })),
  public_email: Type.Optional(Type.String({ maxLength: 255 })),
  active: Flag,
  blocked: Flag,
  humans: Flag,
  without_project_bots: Flag,
  admins: Flag,
  external: Flag,
  created_after: Timestamp,
  created_before: Timestamp
}

const Filters = Type.Object(userFilters)
export type UserFilters = Type.Static<typeof Filters>
