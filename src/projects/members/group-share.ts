import { defineEntity, p } from '@mikro-orm/core'
import { sql } from 'kysely'
import { Namespace } from '#namespaces/namespace.ts'
import { updatedAt } from '#platform/database/updated-at.ts'
import { Project } from '../project.ts'
import { isActive } from './roles.ts'

export const GroupShareSchema = defineEntity({
  name: 'GroupShare',
  tableName: 'group_shares',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    project: () => p.manyToOne(Project).nullable(),
    group: () => p.manyToOne(Namespace).nullable(),
    /** The group whose members gain access. */
    withGroup: () => p.manyToOne(Namespace),
    /** The highest role that a member gains. */
    accessLevel: p.smallint(),
    /** The last day of the access. */
    expiresAt: p.date().nullable(),
    createdAt: p.datetime(3).onCreate(() => new Date()),
    updatedAt: updatedAt()
  }
})

/** Gives the members of a group access to a project or to another group; the view `memberships` has the result. */
export class GroupShare extends GroupShareSchema.class {}

GroupShareSchema.setClass(GroupShare)

export interface GroupShareRow {
  group_id: number
  group_name: string
  group_full_path: string
  group_access_level: number
  expires_at: string | null
  visibility: 'private' | 'internal' | 'public'
}

/** The active shares of a joined project or group as a JSON array. */
export function sharesJson(column: 'project_id' | 'group_id', alias: string) {
  return sql<
    GroupShareRow[]
  >`(SELECT coalesce(jsonb_agg(jsonb_build_object('group_id', g.id, 'group_name', g.name, 'group_full_path', g.full_path,
      'group_access_level', s.access_level, 'expires_at', s.expires_at, 'visibility', g.visibility) ORDER BY s.id), '[]')
    FROM group_shares s JOIN namespaces g ON g.id = s.with_group_id
    WHERE ${sql.ref(`s.${column}`)} = ${sql.ref(`${alias}.id`)} AND ${isActive('s')})`
}
