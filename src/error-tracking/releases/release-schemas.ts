import Type from 'typebox'
import { type Period, periods } from '../groups/frequency.ts'
import { page } from '../groups/group-schemas.ts'

const Rate = (description: string) => Type.Union([Type.Number({ minimum: 0, maximum: 1 }), Type.Null()], { description })

const health = {
  sessions: Type.Integer({ description: 'Sessions that began.' }),
  errored: Type.Integer({ description: 'Of those, the ones with an error that did not end them.' }),
  crashed: Type.Integer(),
  abnormal: Type.Integer({ description: 'Those that ended otherwise than they should, such as by a loss of power.' }),
  crash_free_rate: Rate('The part of the sessions that did not crash, from 0 to 1; null without sessions.')
}

export const ReleaseShape = Type.Object({
  version: Type.String(),
  first_seen_at: Type.String(),
  last_seen_at: Type.String({ description: 'To within an hour for sessions, five minutes for errors.' }),
  ...health,
  adoption_24h: Rate('The part that it has of the sessions of the last 24 hours, from 0 to 1; null without sessions.')
})

export const OneReleaseShape = Type.Object({
  ...ReleaseShape.properties,
  environments: Type.Array(Type.Object({ environment: Type.String(), series: Type.Array(Type.Object({ at: Type.String(), ...health })) }), {
    description: 'The environments with sessions in the period, each by hour of the last day or by day of a longer period.'
  })
})

export const ReleaseParams = Type.Object({ id: Type.String(), version: Type.String({ minLength: 1, maxLength: 250 }) })

export const ReleasesQuery = Type.Object({
  ...page,
  environment: Type.Optional(Type.String({ maxLength: 200, description: 'Count the sessions of this environment only.' })),
  sort: Type.Optional(Type.Enum(['first_seen_desc', 'first_seen_asc']))
})

export const ReleaseQuery = Type.Object({ stats_period: Type.Optional(Type.Enum(Object.keys(periods) as Period[])) })
