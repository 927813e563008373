import { defineEntity, p } from '@mikro-orm/core'
import { decrypt, encrypt } from '#platform/database/encryption.ts'
import { updatedAt } from '#platform/database/updated-at.ts'

export const variableTypes = ['env_var', 'file'] as const

export type VariableType = (typeof variableTypes)[number]

export const CiVariableSchema = defineEntity({
  name: 'CiVariable',
  tableName: 'ci_variables',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    /** A variable without project and group is one of the installation. */
    projectId: p.bigint('number').nullable(),
    groupId: p.bigint('number').nullable(),
    key: p.text(),
    /** Encrypted. */
    value: p.blob().$type<Buffer>(),
    type: p.text().$type<VariableType>().default('env_var'),
    description: p.text().nullable(),
    /** Such as `production` or `review/*`. */
    environmentScope: p.text().default('*'),
    /** Only for jobs of the default branch. */
    isProtected: p.boolean().default(false),
    /** Runners replace the value in their logs. */
    isMasked: p.boolean().default(false),
    /** The value is never shown again. */
    isHidden: p.boolean().default(false),
    /** `$NAME` in the value is not expanded. */
    isRaw: p.boolean().default(false),
    createdAt: p.datetime(3).onCreate(() => new Date()),
    updatedAt: updatedAt()
  }
})

/** A value that jobs get without being part of the CI configuration, such as a password. */
export class CiVariable extends CiVariableSchema.class {}

CiVariableSchema.setClass(CiVariable)

type KeySource = Parameters<typeof decrypt>[0]
type Owned = Pick<CiVariable, 'projectId' | 'groupId'>

export function sealValue(source: KeySource, owner: Owned, value: string) {
  return encrypt(source, value, nameOf(owner))
}

/** Undefined when it was encrypted with another SECRET_KEY. */
export function openValue(source: KeySource, variable: Owned & { value: Uint8Array }) {
  return decrypt(source, variable.value, nameOf(variable))
}

function nameOf({ projectId, groupId }: Owned) {
  return projectId ? `CI variable of project ${projectId}` : groupId ? `CI variable of group ${groupId}` : 'CI variable'
}
