import { defineEntity, p } from '@mikro-orm/core'
import { User } from '../identity/user.ts'
import { Namespace } from './namespace.ts'

export type Visibility = 'private' | 'internal' | 'public'

const ProjectSchema = defineEntity({
  name: 'Project',
  tableName: 'projects',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    namespace: () => p.manyToOne(Namespace),
    creator: () => p.manyToOne(User).nullable(),
    name: p.text(),
    path: p.text(),
    fullPath: p.text(),
    description: p.text().nullable(),
    visibility: p.text().$type<Visibility>().default('private'),
    createdAt: p.datetime(3).onCreate(() => new Date()),
    lastActivityAt: p.datetime(3).onCreate(() => new Date())
  }
})

export class Project extends ProjectSchema.class {}

ProjectSchema.setClass(Project)
