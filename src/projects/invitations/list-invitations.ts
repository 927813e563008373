import { sql } from 'kysely'
import Type, { type Static } from 'typebox'
import { Nullable } from '#lib/nullable.ts'
import { writeTime } from '#lib/time.ts'
import type { EntityManager, Tables } from '#platform/database/database.ts'
import { deleteInBatches } from '#platform/database/delete-in-batches.ts'
import { allOf, containing } from '#platform/database/filter.ts'
import { selectAs, selectList } from '#platform/database/list.ts'
import type { MemberSource } from '../members/member-source.ts'
import { isActive } from '../members/roles.ts'

export const InvitationShape = Type.Object({
  id: Type.Integer(),
  access_level: Type.Integer(),
  created_at: Type.String(),
  expires_at: Nullable(Type.String({ description: 'The last day of the membership.' })),
  invite_email: Type.String(),
  user_name: Nullable(Type.String({ description: 'Always null: an address without a user is invited.' })),
  created_by_name: Nullable(Type.String())
})

export interface InvitationRow extends Omit<Static<typeof InvitationShape>, 'id' | 'user_name'> {
  id: number
  open_until: string
  /** What became of the last mail; null while it waits. */
  outcome: 'sent' | 'failed' | 'discarded' | null
}

/** The open invitations to a project or group, the oldest first. */
export function listInvitations(em: EntityManager, { type, id }: MemberSource, filter: { search?: string; id?: number } = {}) {
  const invitations = em
    .getKysely<Tables>()
    .selectFrom('invitations as i')
    .leftJoin('users as u', 'u.id', 'i.created_by_id')
    .where(
      allOf(
        sql`${sql.ref(type === 'Project' ? 'i.project_id' : 'i.group_id')} = ${id}`,
        sql`i.open_until > now()`,
        isActive('i'),
        filter.id !== undefined && sql`i.id = ${filter.id}`,
        filter.search !== undefined && sql`i.email ILIKE ${containing(filter.search.trim())}`
      )
    )
  const row = sql<InvitationRow>`jsonb_build_object('id', i.id, 'access_level', i.access_level, 'created_at', i.created_at, 'expires_at', i.expires_at,
    'invite_email', i.email, 'created_by_name', u.name, 'open_until', i.open_until,
    'outcome', (SELECT o.outcome FROM outbox o WHERE o.kind = 'invitation' AND o.subject_id = i.id ORDER BY o.id DESC LIMIT 1))`

  return selectList(em, { from: invitations, load: page => selectAs(page, row), keys: ['i.id'] })
}

export function presentInvitation({ id, open_until: _, outcome: __, ...row }: InvitationRow) {
  return { ...row, id, created_at: writeTime(row.created_at), user_name: null }
}

/** The page of an expired invitation says so for another 30 days. */
export async function deleteExpiredInvitations(em: EntityManager, at: Date) {
  const isOld = "open_until < $1::timestamptz - interval '30 days'"

  await deleteInBatches(em, { table: 'invitations', key: 'id', where: isOld, params: [at.toISOString()] })
}
