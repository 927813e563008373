import { type Actor, recordAuditEvent } from '#audit/record-audit-event.ts'
import { definedIn } from '#lib/json.ts'
import { ValidationFailed } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { lockForChange } from '#platform/database/lock-for-change.ts'
import { columnsOf, lockOwner, type Owner } from '#projects/owner.ts'
import { CiVariable, openValue, sealValue, type VariableType } from './variable.ts'

export interface VariableChanges {
  key?: string | undefined
  value?: string | undefined
  type?: VariableType | undefined
  description?: string | null | undefined
  environmentScope?: string | undefined
  isProtected?: boolean | undefined
  isMasked?: boolean | undefined
  isHidden?: boolean | undefined
  isRaw?: boolean | undefined
}

interface Keys {
  secretKey?: string | undefined
  dataDir: string
}

/** Who changes the variables of which owner. */
export interface VariableEditor {
  owner: Owner
  actor: Actor
}

export const maxVariables = 500
const maskable = /^\S{8,}$/

export function createVariable(em: EntityManager, keys: Keys, editor: VariableEditor, changes: VariableChanges & { key: string }) {
  const { owner, actor } = editor

  return em.transactional(async em => {
    await lockOwner(em, owner)
    if ((await em.count(CiVariable, columnsOf(owner))) >= maxVariables)
      throw new ValidationFailed({ base: [`The limit of ${maxVariables} variables is reached.`] })
    await checkUnique(em, owner, changes)
    const variable = em.create(CiVariable, { ...columnsOf(owner), key: changes.key, value: Buffer.alloc(0) })

    await assign(keys, variable, { value: '', ...changes })
    await em.flush()
    recordChange(em, { owner, actor }, variable, 'ci_variable_created')

    return variable
  })
}

export function updateVariable(
  em: EntityManager,
  keys: Keys,
  { owner, actor }: VariableEditor,
  variable: CiVariable,
  changes: VariableChanges
) {
  return em.transactional(async em => {
    await lockOwner(em, owner)
    await lockForChange(em, variable)
    if (variable.isHidden && (changes.isMasked === false || changes.isHidden === false))
      throw new ValidationFailed({ masked: ['cannot be turned off: the variable is hidden. Delete it and create another.'] })
    const { key = variable.key, environmentScope = variable.environmentScope } = changes

    await checkUnique(em, owner, { key, environmentScope }, variable)
    await assign(keys, variable, changes)
    recordChange(em, { owner, actor }, variable, 'ci_variable_updated')

    return variable
  })
}

export function deleteVariable(em: EntityManager, { owner, actor }: VariableEditor, variable: CiVariable) {
  return em.transactional(async em => {
    await lockForChange(em, variable)
    recordChange(em, { owner, actor }, variable, 'ci_variable_deleted')
    em.remove(variable)
  })
}

async function assign(keys: Keys, variable: CiVariable, { value, ...changes }: VariableChanges) {
  Object.assign(variable, definedIn(changes))
  if (value !== undefined) variable.value = await sealValue(keys, variable, value)
  if (variable.isMasked && !maskable.test(value ?? (await openValue(keys, variable)) ?? ''))
    throw new ValidationFailed({ value: ['cannot be masked: it needs 8 or more characters, on one line and without spaces.'] })
}

/** The owner is locked, so no parallel request takes the name. */
async function checkUnique(em: EntityManager, owner: Owner, { key, environmentScope = '*' }: VariableChanges, self?: CiVariable) {
  const holder = await em.findOne(CiVariable, { ...columnsOf(owner), key, environmentScope })

  if (holder && holder !== self) throw new ValidationFailed({ key: [`(${key}) has already been taken`] })
}

/** Without the value. */
function recordChange(em: EntityManager, { owner, actor }: VariableEditor, { id, key: details }: CiVariable, name: string) {
  recordAuditEvent(em, actor, { name, entity: owner.audited, target: { type: 'CiVariable', id, details } })
}
