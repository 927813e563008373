import { type EntityManager, query } from '../../platform/database/database.ts'

/** Rows of a table that have served their time. */
export interface Leftovers {
  table: string
  key: string
  /** Where their keys are found, when that is not the table itself. */
  from?: string
  where: string
  order?: string
  params: unknown[]
  step?: number
}

/** In steps so short that nobody waits for them; cut short, it goes on the next time. */
export async function removeInSteps(em: EntityManager, leftovers: Leftovers, signal: AbortSignal) {
  const { step = 1000 } = leftovers

  while ((await removeSome(em, leftovers, step)) === step) signal.throwIfAborted()
}

async function removeSome(em: EntityManager, { table, key, from = table, where, order = key, params }: Leftovers, step: number) {
  const [row] = await query<{ count: string }>(
    em,
    `WITH removed AS (
       DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${from} WHERE ${where} ORDER BY ${order} LIMIT ${step}) RETURNING 1
     )
     SELECT count(*) FROM removed`,
    params
  )

  return Number(row!.count)
}
