import { defineEntity, p } from '@mikro-orm/core'
import { type SqlBool, sql } from 'kysely'
import { Forbidden, ValidationFailed } from '#lib/refusals.ts'
import { updatedAt } from '#platform/database/updated-at.ts'

export type Visibility = 'private' | 'internal' | 'public'

const breadth = { private: 0, internal: 1, public: 2 }

export const NamespaceSchema = defineEntity({
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
    /** The name of the file of a group's avatar. */
    avatar: p.text().nullable(),
    /** For new projects. */
    defaultBranch: p.text().nullable(),
    /** The ids of its ancestors, outermost first, then its own; filled in by a database trigger. */
    lineage: p.array(Number, String).columnType('bigint[]').default([]),
    /** `Company / Team`. */
    fullName: p
      .text()
      .formula(
        columns =>
          `(SELECT string_agg(above.name, ' / ' ORDER BY cardinality(above.lineage)) FROM namespaces above WHERE above.id = ANY (${columns}.lineage))`
      )
      .lazy()
      .persist(false),
    parent: () => p.manyToOne(Namespace).nullable(),
    /** The user whose personal namespace this is. */
    ownerId: p.bigint('number').nullable(),
    markedForDeletionAt: p.datetime(3).nullable(),
    /** The id of the group that it is marked with. */
    markedWithId: p.bigint('number').nullable(),
    createdAt: p.datetime(3).onCreate(() => new Date()),
    updatedAt: updatedAt()
  }
})

/** A group, or a user's personal namespace. Projects belong to one. */
export class Namespace extends NamespaceSchema.class {
  audited() {
    return { type: 'Group' as const, id: this.id, path: this.fullPath as string }
  }

  /** The visibility, or the widest one that is allowed in it. */
  narrow(visibility: Visibility): Visibility {
    const limit = this.visibility as Visibility

    return this.kind === 'user' || breadth[visibility] <= breadth[limit] ? visibility : limit
  }

  /** Nothing in a group may be more visible than the group. A personal namespace has no such limit. */
  checkVisibility(visibility: Visibility = 'private') {
    if (this.narrow(visibility) === visibility) return
    throw new ValidationFailed({ visibility_level: [`${visibility} is not allowed in a ${this.visibility} group.`] })
  }

  /** Nothing is changed in a group that is marked for deletion, or added to it. */
  checkWritable() {
    if (this.markedForDeletionAt) throw new Forbidden('the group is marked for deletion')
  }
}

NamespaceSchema.setClass(Namespace)

/** A row of `namespaces` is the given one, or within it. */
export function isNamespaceWithin(id: number) {
  return sql<SqlBool>`lineage @> ARRAY[${id}::bigint]`
}
