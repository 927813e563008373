import { defineEntity, p } from '@mikro-orm/core'
import { ValidationFailed } from '../../http/problems/problems.ts'
import { User } from '../../identity/users/user.ts'

export type Visibility = 'private' | 'internal' | 'public'

const breadth = { private: 0, internal: 1, public: 2 }

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
    /** Itself and those above it, outermost first; the database fills it in when it is stored. */
    lineage: p.array(Number, String).columnType('bigint[]').default([]),
    /** The names on the way down to it: `Company / Team`. Asked for where it is shown. */
    fullName: p
      .text()
      .formula(
        columns =>
          `(SELECT string_agg(above.name, ' / ' ORDER BY cardinality(above.lineage)) FROM namespaces above WHERE above.id = ANY (${columns}.lineage))`
      )
      .lazy()
      .persist(false),
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
export class Namespace extends NamespaceSchema.class {
  audited() {
    return { type: 'Group' as const, id: this.id, path: this.fullPath as string }
  }

  /** Nothing in a group is seen by more people than the group. A person's own space sets no bounds. */
  checkVisibility(wanted: Visibility = 'private') {
    const own = this.visibility as Visibility

    if (this.kind === 'user' || breadth[wanted] <= breadth[own]) return
    throw new ValidationFailed({ visibility_level: [`${wanted} is not allowed in a ${own} group.`] })
  }
}

NamespaceSchema.setClass(Namespace)
