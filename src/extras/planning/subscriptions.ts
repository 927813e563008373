import type { EntityManager, Tables } from '#platform/database/database.ts'

declare module '#platform/database/database.ts' {
  interface Tables {
    label_subscriptions: { label_id: number; user_id: number }
  }
}

/** False when the user subscribes to the label already. */
export async function subscribe(em: EntityManager, labelId: number, userId: number) {
  const { numInsertedOrUpdatedRows: added } = await em
    .getKysely<Tables>()
    .insertInto('label_subscriptions')
    .values({ label_id: labelId, user_id: userId })
    .onConflict(conflict => conflict.doNothing())
    .executeTakeFirst()

  return added! > 0
}

/** False when the user does not subscribe to the label. */
export async function unsubscribe(em: EntityManager, labelId: number, userId: number) {
  const { numDeletedRows: removed } = await em
    .getKysely<Tables>()
    .deleteFrom('label_subscriptions')
    .where('label_id', '=', labelId)
    .where('user_id', '=', userId)
    .executeTakeFirst()

  return removed > 0
}
