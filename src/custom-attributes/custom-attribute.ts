import { defineEntity, p } from '@mikro-orm/core'
import type { InferKyselyTable } from '@mikro-orm/postgresql'
import { updatedAt } from '../platform/database/updated-at.ts'

const CustomAttributeSchema = defineEntity({
  name: 'CustomAttribute',
  tableName: 'custom_attributes',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    userId: p.bigint('number').nullable(),
    groupId: p.bigint('number').nullable(),
    projectId: p.bigint('number').nullable(),
    key: p.text(),
    value: p.text(),
    createdAt: p.datetime(3).onCreate(() => new Date()),
    updatedAt: updatedAt()
  }
})

/** A key and a value that admins attach to a user, group or project. Only admins see them. */
export class CustomAttribute extends CustomAttributeSchema.class {
  present() {
    return { key: this.key, value: this.value }
  }
}

CustomAttributeSchema.setClass(CustomAttribute)

export type CustomAttributeTable = InferKyselyTable<typeof CustomAttributeSchema>

/** The user, group or project that an attribute belongs to. */
export interface Subject {
  kind: SubjectKind
  id: number
}

export type SubjectKind = 'user' | 'group' | 'project'

export function attributesOf({ kind, id }: Subject) {
  return kind === 'user' ? { userId: id } : kind === 'group' ? { groupId: id } : { projectId: id }
}
