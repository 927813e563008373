import Type, { type Static } from 'typebox'
import { paging } from '#api/pagination/offset.ts'
import { isRemoved, type Version } from '#lib/deprecations/stages.ts'
import { Nullable } from '#lib/nullable.ts'
import { ById } from '#projects/schemas.ts'
import type { FlagChanges } from './change-feature-flag.ts'
import type { FeatureFlag } from './feature-flag.ts'

export const FlagParams = Type.Object({ ...ById.properties, feature_flag_name: Type.String({ maxLength: 63 }) })

export const FlagsQuery = Type.Object({
  ...paging,
  scope: Type.Optional(Type.Enum(['enabled', 'disabled'], { description: 'Flags that are on, or off.' }))
})

const partId = Type.Optional(Type.Integer({ description: 'The ID of the one to change. Without an ID, one is added.' }))
const _destroy = Type.Optional(Type.Boolean({ description: 'Removes it.' }))

const ScopeBody = Type.Object({ id: partId, environment_scope: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })), _destroy })

const StrategyBody = Type.Object({
  id: partId,
  name: Type.Optional(Type.String({ description: '`default`, `gradualRolloutUserId`, `userWithId` or `flexibleRollout`.' })),
  parameters: Type.Optional(Type.Record(Type.String(), Type.String({ maxLength: 25_600 }))),
  scopes: Type.Optional(Type.Array(ScopeBody, { maxItems: 100 })),
  _destroy
})

export const FlagBody = Type.Object({
  name: Type.Optional(Type.String({ minLength: 2, maxLength: 63 })),
  description: Type.Optional(Nullable(Type.String({ maxLength: 10_000 }))),
  active: Type.Optional(Type.Boolean()),
  strategies: Type.Optional(Type.Array(StrategyBody, { maxItems: 100, description: 'Strategies that are not mentioned are kept.' }))
})

export const NewFlagBody = Type.Object({
  ...FlagBody.properties,
  name: Type.String({ minLength: 2, maxLength: 63 }),
  version: Type.Optional(Type.String({ description: 'Ignored. Until GitLab 17.0, `new_version_flag`.' }))
})

const ScopeShape = Type.Object({ id: Type.Integer(), environment_scope: Type.String() })

export const FlagShape = Type.Object({
  name: Type.String(),
  description: Nullable(Type.String()),
  active: Type.Boolean(),
  version: Type.Optional(Type.Literal('new_version_flag', { description: 'Until GitLab 17.0.' })),
  created_at: Type.String(),
  updated_at: Type.String(),
  strategies: Type.Array(
    Type.Object({
      id: Type.Integer(),
      name: Type.String(),
      parameters: Type.Record(Type.String(), Type.String()),
      scopes: Type.Array(ScopeShape)
    })
  )
})

export function readChanges({ active: isActive, strategies, name, description }: Static<typeof FlagBody>): FlagChanges {
  return {
    name,
    description,
    isActive,
    strategies: strategies?.map(({ scopes, _destroy: isRemoved, ...strategy }) => ({
      ...strategy,
      isRemoved,
      scopes: scopes?.map(({ id, environment_scope: environment, _destroy: isRemoved }) => ({ id, environment, isRemoved }))
    }))
  }
}

export function presentFeatureFlag(flag: FeatureFlag, config: Version): Static<typeof FlagShape> {
  return {
    name: flag.name,
    description: flag.description ?? null,
    active: flag.isActive,
    ...(!isRemoved(config, 'feature-flag-version') && { version: 'new_version_flag' as const }),
    created_at: flag.createdAt.toISOString(),
    updated_at: flag.updatedAt.toISOString(),
    strategies: flag.strategies.map(({ id, name, parameters, scopes }) => ({
      id,
      name,
      parameters,
      scopes: scopes.map(({ id, environment }) => ({ id, environment_scope: environment }))
    }))
  }
}
