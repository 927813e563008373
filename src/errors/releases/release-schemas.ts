import Type from 'typebox'
import { Nullable } from '#lib/nullable.ts'
import { type Period, periods } from '../groups/frequency.ts'
import { page } from '../groups/group-schemas.ts'

const Rate = (description: string) => Type.Union([Type.Number({ minimum: 0, maximum: 1 }), Type.Null()], { description })

const health = {
  sessions: Type.Integer({ description: 'All sessions.' }),
  errored: Type.Integer({ description: 'Sessions with errors that did not crash.' }),
  crashed: Type.Integer(),
  abnormal: Type.Integer({ description: 'Sessions that ended abnormally without a crash, such as by a power loss.' }),
  crash_free_rate: Rate('Share of sessions that did not crash, from 0 to 1; null without sessions.')
}

const DeployShape = Type.Object({
  environment: Type.String(),
  name: Nullable(Type.String()),
  url: Nullable(Type.String()),
  started_at: Nullable(Type.String()),
  finished_at: Type.String()
})

export const ReleaseShape = Type.Object({
  version: Type.String(),
  url: Nullable(Type.String()),
  released_at: Nullable(Type.String({ description: 'Set by `sentry-cli releases finalize`.' })),
  is_archived: Type.Boolean(),
  last_deploy: Nullable(DeployShape),
  deploy_count: Type.Integer(),
  first_seen_at: Type.String(),
  last_seen_at: Type.String({ description: 'Precise to an hour for sessions, to five minutes for errors.' }),
  ...health,
  adoption_24h: Rate('Share of all sessions of the last 24 hours, from 0 to 1; null without sessions.')
})

export const OneReleaseShape = Type.Object({
  ...ReleaseShape.properties,
  environments: Type.Array(Type.Object({ environment: Type.String(), series: Type.Array(Type.Object({ at: Type.String(), ...health })) }), {
    description: 'Environments with sessions in the period: by hour for one day, by day for longer periods.'
  })
})

export const ReleaseParams = Type.Object({ id: Type.String(), version: Type.String({ minLength: 1, maxLength: 250 }) })

export const ReleasesQuery = Type.Object({
  ...page,
  environment: Type.Optional(Type.String({ maxLength: 200, description: 'Restricts sessions to this environment.' })),
  sort: Type.Optional(Type.Enum(['first_seen_desc', 'first_seen_asc']))
})

export const ReleaseQuery = Type.Object({ stats_period: Type.Optional(Type.Enum(Object.keys(periods) as Period[])) })
