import { sql } from 'kysely'
import type { EntityManager, Tables } from '#platform/database/database.ts'
import type { Issue } from './issue.ts'

declare module '#platform/database/database.ts' {
  interface Tables {
    issue_subscriptions: { issue_id: number; user_id: number; is_subscribed: boolean }
  }
}

/** Participants are subscribed unless they said otherwise. */
export async function isSubscribed(em: EntityManager, { id, authorId }: Issue, userId: number) {
  const { rows } = await sql<{ is_subscribed: boolean }>`
    SELECT coalesce(
      (SELECT is_subscribed FROM issue_subscriptions WHERE issue_id = ${id} AND user_id = ${userId}),
      ${authorId === userId}
        OR EXISTS (SELECT FROM issue_assignees WHERE issue_id = ${id} AND user_id = ${userId})
        OR EXISTS (SELECT FROM issue_notes WHERE issue_id = ${id} AND author_id = ${userId} AND action IS NULL)
    ) AS is_subscribed`.execute(em.getKysely())

  return rows[0]!.is_subscribed
}

/** False when it is so already. */
export async function subscribe(em: EntityManager, issue: Issue, userId: number, isWanted: boolean) {
  if ((await isSubscribed(em, issue, userId)) === isWanted) return false
  await em
    .getKysely<Tables>()
    .insertInto('issue_subscriptions')
    .values({ issue_id: issue.id, user_id: userId, is_subscribed: isWanted })
    .onConflict(conflict => conflict.columns(['issue_id', 'user_id']).doUpdateSet({ is_subscribed: isWanted }))
    .execute()

  return true
}
