import Type from 'typebox'
import { paging } from '#api/pagination/offset.ts'
import { Nullable } from '#lib/nullable.ts'
import { ById } from '#projects/schemas.ts'
import { type Environment, environmentStates } from './environment.ts'
import { tiers } from './tier.ts'

export const EnvironmentParams = Type.Object({ ...ById.properties, environment_id: Type.Integer() })

export const EnvironmentsQuery = Type.Object({
  ...paging,
  name: Type.Optional(Type.String({ maxLength: 255, description: 'Excludes `search`.' })),
  search: Type.Optional(Type.String({ minLength: 3, maxLength: 255, description: 'Part of the name.' })),
  states: Type.Optional(Type.Enum([...environmentStates]))
})

export const EnvironmentBody = Type.Object({
  external_url: Type.Optional(Nullable(Type.String({ maxLength: 255, description: 'With http or https; an empty value removes it.' }))),
  description: Type.Optional(Nullable(Type.String({ maxLength: 10_000 }))),
  tier: Type.Optional(Type.Enum([...tiers])),
  slug: Type.Optional(Type.Unknown({ description: 'Refused: it follows from the name.' }))
})

export const NewEnvironmentBody = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 255 }),
  ...EnvironmentBody.properties,
  tier: Type.Optional(Type.Enum([...tiers], { description: 'Guessed from the name unless given.' }))
})

export const EnvironmentShape = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  slug: Type.String(),
  description: Nullable(Type.String()),
  external_url: Nullable(Type.String()),
  state: Type.Enum([...environmentStates]),
  tier: Type.Enum([...tiers]),
  created_at: Type.String(),
  updated_at: Type.String(),
  auto_stop_at: Type.Null()
})

export function presentEnvironment({ id, name, slug, state, tier, ...environment }: Environment) {
  return {
    id,
    name,
    slug,
    description: environment.description ?? null,
    external_url: environment.externalUrl ?? null,
    state,
    tier,
    created_at: environment.createdAt.toISOString(),
    updated_at: environment.updatedAt.toISOString(),
    auto_stop_at: null
  }
}
