import Type from 'typebox'
import { Nullable } from '#api/parameters/nullable.ts'
import { AccessLevel, ById } from '../schemas.ts'
import { Day } from './member-schemas.ts'

export const ShareBody = Type.Object({ group_id: Type.Integer(), group_access: AccessLevel, expires_at: Day })
export const ShareParams = Type.Object({ ...ById.properties, group_id: Type.Integer() })

export const ProjectShareShape = Type.Object({
  id: Type.Integer(),
  project_id: Type.Integer(),
  group_id: Type.Integer(),
  group_access: Type.Integer(),
  expires_at: Nullable(Type.String())
})
