import type { EntityManager, Tables } from '#platform/database/database.ts'

interface ActiveUser {
  id: number
  lastActivityOn?: string | null
  isActive: () => boolean
}

/** Written at most once a day for each user. */
export async function recordLastActivity(em: EntityManager, user: ActiveUser, at: Date) {
  const day = at.toISOString().slice(0, 10)

  if (!user.isActive() || (user.lastActivityOn && user.lastActivityOn >= day)) return
  await em.getKysely<Tables>().updateTable('users').set({ last_activity_on: day }).where('id', '=', user.id).execute()
  // The response to this request shows it, too.
  user.lastActivityOn = day
}
