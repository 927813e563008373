import Type from 'typebox'
import { Form } from '#pages/layout/form.ts'
import type { OwnerKind } from '#projects/owner.ts'
import type { CiVariable } from './variable.ts'
import { NewVariableBody, presentVariable, readChanges } from './variable-schemas.ts'

const { key, value, variable_type, description, protected: isProtected, raw } = NewVariableBody.properties

/** A stored value is not shown; an empty one keeps it. */
export const VariableForm = Type.Object({
  ...{ key, value, variable_type, description, protected: isProtected, raw },
  environment_scope: Type.Optional(Type.String({ maxLength: 255 })),
  visibility: Type.Enum(['visible', 'masked', 'hidden'])
})
type Body = Type.Static<typeof VariableForm>

export function newVariableForm() {
  return new Form(VariableForm, { variable_type: 'env_var', environment_scope: '*', visibility: 'visible' })
}

export function formOfVariable(variable: CiVariable, ownerKind: OwnerKind) {
  const visibility = variable.isHidden ? 'hidden' : variable.isMasked ? 'masked' : 'visible'

  return new Form(VariableForm, { ...presentVariable(variable, undefined, ownerKind), visibility })
}

export function toChanges({ visibility, ...body }: Body, ownerKind: OwnerKind) {
  const isHidden = visibility === 'hidden'
  const changes = readChanges({ ...body, environment_scope: body.environment_scope || '*' }, ownerKind)

  return { ...changes, key: body.key, isHidden, isMasked: isHidden || visibility === 'masked' }
}
