import Type, { type Static } from 'typebox'
import { paging } from '#api/pagination/offset.ts'
import { Nullable } from '#lib/nullable.ts'
import type { OwnerKind } from '#projects/owner.ts'
import type { VariableChanges } from './change-variable.ts'
import { type CiVariable, variableTypes } from './variable.ts'

const Key = Type.String({ pattern: '^[A-Za-z0-9_]{1,255}$', description: 'Of `A-Z`, `a-z`, `0-9` and `_`.' })
const Value = Type.String({ maxLength: 10_000 })

const settings = {
  variable_type: Type.Optional(Type.Enum([...variableTypes])),
  protected: Type.Optional(Type.Boolean({ description: 'Only for jobs on the default branch.' })),
  masked: Type.Optional(Type.Boolean({ description: 'Runners hide the value in logs.' })),
  raw: Type.Optional(Type.Boolean({ description: '`$NAME` in the value is not expanded.' })),
  description: Type.Optional(Nullable(Type.String({ maxLength: 255 }))),
  environment_scope: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'Such as `production` or `review/*`. Does not apply to the installation’s variables.'
    })
  )
}

export const VariableBody = Type.Object({ value: Type.Optional(Value), ...settings })

export const NewVariableBody = Type.Object({
  ...{ key: Key, value: Value, ...settings },
  masked_and_hidden: Type.Optional(Type.Boolean({ description: 'Masked, and the value is never shown again.' }))
})

export const VariablesQuery = Type.Object(paging)

export const OneQuery = Type.Object({
  filter: Type.Optional(
    Type.Object({ environment_scope: Type.Optional(Type.String()) }, { description: 'Selects one of several variables with this key.' })
  )
})

export const VariableShape = Type.Object({
  variable_type: Type.Enum([...variableTypes]),
  key: Type.String(),
  value: Nullable(Type.String({ description: 'Null when it is hidden, or cannot be decrypted.' })),
  hidden: Type.Boolean(),
  protected: Type.Boolean(),
  masked: Type.Boolean(),
  raw: Type.Boolean(),
  description: Nullable(Type.String()),
  environment_scope: Type.Optional(Type.String({ description: 'Does not apply to the installation’s variables.' }))
})

export function readChanges(body: Static<typeof VariableBody> & { masked_and_hidden?: boolean }, ownerKind: OwnerKind): VariableChanges {
  const isHidden = body.masked_and_hidden || undefined

  return {
    value: body.value,
    type: body.variable_type,
    description: body.description,
    environmentScope: ownerKind === 'system' ? undefined : body.environment_scope,
    isProtected: body.protected,
    isMasked: isHidden ?? body.masked,
    isHidden,
    isRaw: body.raw
  }
}

export function presentVariable(variable: CiVariable, value: string | undefined, ownerKind: OwnerKind): Static<typeof VariableShape> {
  const { key, type, isHidden, isProtected, isMasked, isRaw, description, environmentScope } = variable

  return {
    variable_type: type,
    key,
    value: isHidden ? null : (value ?? null),
    hidden: isHidden,
    protected: isProtected,
    masked: isMasked,
    raw: isRaw,
    description: description ?? null,
    ...(ownerKind !== 'system' && { environment_scope: environmentScope })
  }
}
