import type { EntityManager, Tables } from '#platform/database/database.ts'

declare module '#platform/database/database.ts' {
  interface Tables {
    sent_forms: { digest: string; location: string | null; sent_at: Date }
  }
}

const dayMs = 86_400_000

/** Returns false if the same form was sent before. */
export async function recordSentForm(em: EntityManager, digest: string, at: Date) {
  const inserted = await em
    .getKysely<Tables>()
    .insertInto('sent_forms')
    .values({ digest, sent_at: at })
    .onConflict(conflict => conflict.doNothing())
    .returning('digest')
    .execute()

  return inserted.length > 0
}

/** Where the form led to; null while it is processed, undefined if it was not accepted. */
export async function findLocation(em: EntityManager, digest: string) {
  const row = await em.getKysely<Tables>().selectFrom('sent_forms').select('location').where('digest', '=', digest).executeTakeFirst()

  return row?.location
}

export async function recordLocation(em: EntityManager, digest: string, location: string) {
  await em.getKysely<Tables>().updateTable('sent_forms').set({ location }).where('digest', '=', digest).execute()
}

/** A form that was not accepted can be sent again. */
export async function forgetSentForm(em: EntityManager, digest: string) {
  await em.getKysely<Tables>().deleteFrom('sent_forms').where('digest', '=', digest).execute()
}

export async function deleteOldSentForms(em: EntityManager, at: Date) {
  await em
    .getKysely<Tables>()
    .deleteFrom('sent_forms')
    .where('sent_at', '<', new Date(at.getTime() - dayMs))
    .execute()
}
