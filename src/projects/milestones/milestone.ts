import { defineEntity, p } from '@mikro-orm/core'
import { Namespace } from '#namespaces/namespace.ts'
import { updatedAt } from '#platform/database/updated-at.ts'
import { Project } from '../project.ts'

export const MilestoneSchema = defineEntity({
  name: 'Milestone',
  tableName: 'milestones',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    project: () => p.manyToOne(Project).nullable(),
    group: () => p.manyToOne(Namespace).nullable(),
    /** Unique in the project or group. */
    iid: p.bigint('number'),
    title: p.text(),
    description: p.text().nullable(),
    state: p.text().$type<'active' | 'closed'>().default('active'),
    startDate: p.date().nullable(),
    dueDate: p.date().nullable(),
    createdAt: p.datetime(3).onCreate(() => new Date()),
    updatedAt: updatedAt()
  }
})

/** A set of issues to finish by a day, of a project or of everything in a group. */
export class Milestone extends MilestoneSchema.class {
  /** Returns whether the state changed. */
  changeState(state: 'active' | 'closed') {
    const isChanged = this.state !== state

    this.state = state

    return isChanged
  }
}

MilestoneSchema.setClass(Milestone)
