import type { EntityManager, Tables } from '#platform/database/database.ts'
import type { Outcome } from './outcome.ts'

export interface Attempt {
  /** Numbers only grow; sending a delivery again skips one. */
  attempt: number
  at: Date
  status: Outcome['status']
  answer: string
  /** When the next attempt is made. */
  next_at: Date | null
}

declare module '#platform/database/database.ts' {
  interface Tables {
    notification_attempts: Attempt & { delivery_id: number }
  }
}

const maxAttempts = 100

export async function recordAttempt(em: EntityManager, deliveryId: number, attempt: Attempt) {
  await em
    .getKysely<Tables>()
    .insertInto('notification_attempts')
    .values({ delivery_id: deliveryId, ...attempt })
    .execute()
}

/** The last attempts to send a delivery, the newest first. */
export function listAttempts(em: EntityManager, deliveryId: number): Promise<Attempt[]> {
  return em
    .getKysely<Tables>()
    .selectFrom('notification_attempts')
    .where('delivery_id', '=', deliveryId)
    .select(['attempt', 'at', 'status', 'answer', 'next_at'])
    .orderBy('attempt', 'desc')
    .limit(maxAttempts)
    .execute()
}
