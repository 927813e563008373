import Type, { type Static } from 'typebox'
import { paging } from '#api/pagination/offset.ts'
import { CommaSeparated } from '#api/parameters/coerce.ts'
import { Nullable } from '#lib/nullable.ts'
import { Person } from '#projects/schemas.ts'
import { runnerStatuses, runnerTypes } from './runner.ts'

export const ByRunner = Type.Object({ id: Type.Integer() })

const Tags = CommaSeparated(Type.String({ minLength: 1, maxLength: 255 }), { maxItems: 50 })

/** What a user may choose for a runner. */
export const runnerSettings = {
  description: Type.Optional(Nullable(Type.String({ maxLength: 1024 }))),
  paused: Type.Optional(Type.Boolean()),
  locked: Type.Optional(Type.Boolean({ description: 'For project runners: no other project may use it.' })),
  run_untagged: Type.Optional(Type.Boolean()),
  tag_list: Type.Optional(Tags),
  access_level: Type.Optional(Type.Enum(['not_protected', 'ref_protected'])),
  maximum_timeout: Type.Optional(Nullable(Type.Integer({ minimum: 600, maximum: 2_592_000, description: 'Seconds.' }))),
  maintenance_note: Type.Optional(Nullable(Type.String({ maxLength: 1024 })))
}

export const NewRunnerBody = Type.Object({
  runner_type: Type.Enum([...runnerTypes]),
  group_id: Type.Optional(Nullable(Type.Integer({ description: 'For runners of type group_type.' }))),
  project_id: Type.Optional(Nullable(Type.Integer({ description: 'For runners of type project_type.' }))),
  ...runnerSettings
})

export const RunnerBody = Type.Object({
  ...runnerSettings,
  active: Type.Optional(Type.Boolean({ description: 'Deprecated: the opposite of `paused`.' }))
})

export type RunnerSettings = Static<typeof RunnerBody>

const Named = Type.Optional(Nullable(Type.String({ maxLength: 255 })))

/** What a runner says of itself. */
const Info = Type.Object({ name: Named, version: Named, revision: Named, platform: Named, architecture: Named })

/** The token with which a runner calls, and what it says of itself. */
export const RunnerContact = Type.Object({
  token: Type.String(),
  system_id: Type.Optional(Type.String({ maxLength: 64, description: 'One of the machines that share the token.' })),
  info: Type.Optional(Info)
})

export const RegistrationBody = Type.Object({
  ...RunnerBody.properties,
  token: Type.String({ description: 'A registration token.' }),
  info: Type.Optional(Info),
  maintainer_note: Type.Optional(Nullable(Type.String({ maxLength: 1024, description: 'Deprecated: `maintenance_note`.' })))
})

export const RunnersQuery = Type.Object({
  ...paging,
  type: Type.Optional(Type.Enum([...runnerTypes])),
  scope: Type.Optional(
    Type.Enum(['active', 'paused', 'online', 'offline', 'specific', 'shared', ...runnerTypes], {
      description: 'Deprecated: use `type`, `status` or `paused`.'
    })
  ),
  status: Type.Optional(Type.Enum([...runnerStatuses, 'active', 'paused'])),
  paused: Type.Optional(Type.Boolean()),
  tag_list: Type.Optional(Tags)
})

export type RunnersQuery = Static<typeof RunnersQuery>

const Time = Nullable(Type.String())

export const RunnerShape = Type.Object({
  id: Type.Integer(),
  description: Nullable(Type.String()),
  ip_address: Nullable(Type.String()),
  active: Type.Boolean(),
  paused: Type.Boolean(),
  is_shared: Type.Boolean(),
  runner_type: Type.Enum([...runnerTypes]),
  name: Nullable(Type.String()),
  online: Nullable(Type.Boolean()),
  created_by: Nullable(Person),
  created_at: Type.String(),
  status: Type.String(),
  job_execution_status: Type.Enum(['idle', 'active'])
})

export const DetailedRunner = Type.Object({
  ...RunnerShape.properties,
  tag_list: Type.Array(Type.String()),
  run_untagged: Type.Boolean(),
  locked: Type.Boolean(),
  maximum_timeout: Nullable(Type.Integer()),
  access_level: Type.String(),
  version: Nullable(Type.String()),
  revision: Nullable(Type.String()),
  platform: Nullable(Type.String()),
  architecture: Nullable(Type.String()),
  contacted_at: Time,
  maintenance_note: Nullable(Type.String()),
  projects: Type.Optional(Type.Array(Type.Object({}, { additionalProperties: true }))),
  groups: Type.Optional(Type.Array(Type.Object({ id: Type.Integer(), web_url: Type.String(), name: Type.String() })))
})

export const RunnerToken = Type.Object({ token: Type.String(), token_expires_at: Type.Null() })
export const NewRunner = Type.Object({ id: Type.Integer(), ...RunnerToken.properties })
