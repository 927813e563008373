import { sql } from 'kysely'
import type { EntityManager } from '#platform/database/database.ts'
import { Role } from '#projects/members/member.ts'
import { isActiveMembership } from '#projects/members/roles.ts'
import { mention, mentionsIn } from './mentions.ts'

export interface ProjectMember {
  id: number
  username: string
  role: number
}

const maxMembers = 5000

/** The users who are members of a project and can get mail: active, not bots, with a confirmed address. Only those with these ids, if given. */
export async function listMembers(em: EntityManager, projectId: number, userIds?: number[]): Promise<ProjectMember[]> {
  const { rows } = await sql<{ id: number; username: string; role: number }>`
    SELECT u.id, u.username, greatest(coalesce(max(m.access_level), 0), CASE WHEN n.owner_id = u.id THEN ${sql.lit(Role.owner)} ELSE 0 END) AS role
     FROM projects p
     JOIN namespaces n ON n.id = p.namespace_id
     JOIN memberships m ON (m.project_id = p.id OR m.group_id = ANY (n.lineage)) AND ${isActiveMembership}
     JOIN users u ON u.id = m.user_id AND u.state = 'active' AND u.kind = 'human' AND u.confirmed_at IS NOT NULL
     WHERE p.id = ${projectId} AND (${userIds ?? null}::bigint[] IS NULL OR u.id = ANY (${userIds ?? null}::bigint[]))
     GROUP BY u.id, n.owner_id ORDER BY u.id LIMIT ${sql.lit(maxMembers)}`.execute(em.getKysely())

  return rows
}

export interface Participants {
  /** Author, assignees, commenters and subscribers. */
  ids: Set<number>
  /** Users who are notified only when they are mentioned. */
  unsubscribed: Set<number>
  /** Users mentioned in the title, the description or a comment, in lower case. */
  usernames: Set<string>
}

/** The participants of issues, by issue. */
export async function findParticipants(em: EntityManager, issueIds: number[]) {
  const { rows } = await sql<{ id: number; ids: number[]; unsubscribed: number[]; mentions: string[] }>`
    SELECT i.id, array(
      SELECT i.author_id WHERE i.author_id IS NOT NULL
      UNION SELECT user_id FROM issue_assignees WHERE issue_id = i.id
      UNION SELECT author_id FROM issue_notes WHERE issue_id = i.id AND action IS NULL AND author_id IS NOT NULL
      UNION SELECT user_id FROM issue_subscriptions WHERE issue_id = i.id AND is_subscribed
    ) AS ids, array(
      SELECT user_id FROM issue_subscriptions WHERE issue_id = i.id AND NOT is_subscribed
    ) AS unsubscribed, array(
      SELECT DISTINCT '@' || m[1]
      FROM (
        SELECT concat_ws(' ', i.title, i.description) AS body
        UNION ALL SELECT body FROM issue_notes WHERE issue_id = i.id AND action IS NULL
      ) texts, regexp_matches(body, ${mention.source}, 'gi') m
      WHERE body LIKE '%@%'
    ) AS mentions
    FROM issues i WHERE i.id = ANY (${issueIds}::bigint[])`.execute(em.getKysely())

  return new Map(
    rows.map(({ id, ids, unsubscribed, mentions }): [number, Participants] => [
      id,
      { ids: new Set(ids), unsubscribed: new Set(unsubscribed), usernames: mentionsIn(mentions.join(' ')) }
    ])
  )
}
