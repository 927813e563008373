import { sql } from 'kysely'
import { byteaArray, type EntityManager } from '#platform/database/database.ts'
import { hashSecret, newPassword } from '../secrets.ts'
import type { User } from '../users/user.ts'

/** Entities do without them. */
interface WithCodes {
  users: { id: number; recovery_codes: Buffer[] }
}

/** Returns the new codes; only their hashes are stored. */
export async function replaceRecoveryCodes(em: EntityManager, user: User) {
  const codes = Array.from({ length: 10 }, newPassword)

  await store(em, user, codes)

  return codes
}

export function deleteRecoveryCodes(em: EntityManager, user: User) {
  return store(em, user, [])
}

export async function countRecoveryCodes(em: EntityManager, { id }: User) {
  const { count } = await em
    .getKysely<WithCodes>()
    .selectFrom('users')
    .select(sql<number>`cardinality(recovery_codes)`.as('count'))
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

  return count
}

/** False when there is no such code. A single statement, so that a code works only once. */
export async function consumeRecoveryCode(em: EntityManager, { id }: User, code: string) {
  const hash = hashCode(code)
  const { numUpdatedRows } = await em
    .getKysely<WithCodes>()
    .updateTable('users')
    .set({ recovery_codes: sql`array_remove(recovery_codes, ${hash}::bytea)` })
    .where('id', '=', id)
    .where(sql<boolean>`${hash}::bytea = ANY(recovery_codes)`)
    .executeTakeFirst()

  return numUpdatedRows > 0
}

async function store(em: EntityManager, { id }: User, codes: string[]) {
  await em
    .getKysely<WithCodes>()
    .updateTable('users')
    .set({ recovery_codes: sql`${byteaArray(codes.map(hashCode))}` })
    .where('id', '=', id)
    .execute()
}

/** Ignores case, spaces and dashes. */
function hashCode(code: string) {
  return hashSecret(code.toLowerCase().replace(/[^a-z0-9]/g, ''))
}
