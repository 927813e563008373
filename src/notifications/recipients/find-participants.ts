import { sql } from 'kysely'
import type { EntityManager } from '#platform/database/database.ts'
import { mention, mentionsIn } from './mentions.ts'

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
