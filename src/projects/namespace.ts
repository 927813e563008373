import { defineEntity, p } from '@mikro-orm/core'
import { User } from '../identity/user.ts'

export type Visibility = 'private' | 'internal' | 'public'

const NamespaceSchema = defineEntity({
  name: 'Namespace',
  tableName: 'namespaces',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    kind: p.text().$type<'user' | 'group'>(),
    name: p.text(),
    path: p.text(),
    fullPath: p.text(),
    description: p.text().default(''),
    visibility: p.text().$type<Visibility>().default('private'),
    /** Itself and those above it, outermost first; the database fills it in. */
    lineage: p.array<string>().columnType('bigint[]').persist(false),
    parent: () => p.manyToOne(Namespace).nullable(),
    owner: () => p.manyToOne(User).nullable(),
    createdAt: p.datetime(3).onCreate(() => new Date()),
    updatedAt: p
      .datetime(3)
      .onCreate(() => new Date())
      .onUpdate(() => new Date())
  }
})

/** What projects lie in: a person's own space, or a group. */
export class Namespace extends NamespaceSchema.class {}

NamespaceSchema.setClass(Namespace)
