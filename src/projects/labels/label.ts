import { defineEntity, p } from '@mikro-orm/core'
import { Namespace } from '#namespaces/namespace.ts'
import { updatedAt } from '#platform/database/updated-at.ts'
import { Project } from '../project.ts'

export const LabelSchema = defineEntity({
  name: 'Label',
  tableName: 'labels',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    project: () => p.manyToOne(Project).nullable(),
    group: () => p.manyToOne(Namespace).nullable(),
    name: p.text(),
    /** `#rrggbb`. */
    color: p.text(),
    description: p.text().nullable(),
    createdAt: p.datetime(3).onCreate(() => new Date()),
    updatedAt: updatedAt()
  }
})

/** A label of a project, or of a group for everything in it. */
export class Label extends LabelSchema.class {}

LabelSchema.setClass(Label)
