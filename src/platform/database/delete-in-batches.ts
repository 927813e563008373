import { type EntityManager, query } from './database.ts'

/** Rows of a table to delete. */
export interface RowsToDelete {
  table: string
  key: string
  /** Source of the keys; the table itself unless given. */
  from?: string
  where: string
  /** Unordered unless given. */
  order?: string
  params: unknown[]
  batchSize?: number
}

/** Deletes in short transactions. When interrupted, the next run continues. */
export async function deleteInBatches(em: EntityManager, rows: RowsToDelete, signal?: AbortSignal) {
  const { batchSize = 1000 } = rows

  while ((await deleteBatch(em, { ...rows, batchSize })) === batchSize) signal?.throwIfAborted()
}

/** Deletes one batch, and returns the number of its rows. */
export async function deleteBatch(em: EntityManager, { table, key, from = table, where, order, params, batchSize = 1000 }: RowsToDelete) {
  const [row] = await query<{ count: number }>(
    em,
    `WITH deleted AS (
       DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${from} WHERE ${where} ${order ? `ORDER BY ${order}` : ''} LIMIT ${batchSize}) RETURNING 1
     )
     SELECT count(*) FROM deleted`,
    params
  )

  return row!.count
}
