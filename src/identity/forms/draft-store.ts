import type { EntityManager } from '../../platform/database/database.ts'

/** A form that was sent and not accepted. */
export interface DraftRow {
  /** The page of the form. */
  page: string
  /** Where the form is sent. */
  action: string
  /** Encrypted. */
  fields: Buffer
}

interface Tables {
  form_drafts: DraftRow & { user_id: number; expires_at: Date }
}

const lifetimeMs = 3_600_000

/** Keeps the latest draft of a user. */
export async function saveDraft(em: EntityManager, userId: number, draft: DraftRow, at: Date) {
  const values = { ...draft, expires_at: new Date(at.getTime() + lifetimeMs) }

  await em
    .getKysely<Tables>()
    .insertInto('form_drafts')
    .values({ user_id: userId, ...values })
    .onConflict(conflict => conflict.column('user_id').doUpdateSet(values))
    .execute()
}

export function findDraft(em: EntityManager, userId: number, at: Date): Promise<DraftRow | undefined> {
  return em
    .getKysely<Tables>()
    .selectFrom('form_drafts')
    .select(['page', 'action', 'fields'])
    .where('user_id', '=', userId)
    .where('expires_at', '>', at)
    .executeTakeFirst()
}

export async function deleteDraft(em: EntityManager, userId: number) {
  await em.getKysely<Tables>().deleteFrom('form_drafts').where('user_id', '=', userId).execute()
}

export async function deleteExpiredDrafts(em: EntityManager, at: Date) {
  await em.getKysely<Tables>().deleteFrom('form_drafts').where('expires_at', '<', at).execute()
}
