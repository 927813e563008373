import { byteaArray } from './database.ts'

/** Postgres type and value of each column, by name. */
export type RowColumns<Row> = Record<string, [type: string, read: (row: Row) => unknown]>

/** Rows as parameters of a set statement: one array per column, starting with `$1`. */
export function rowSet<Row>(columns: RowColumns<Row>) {
  const names = Object.keys(columns).join(', ')
  const definitions = Object.values(columns)

  return {
    names,
    /** For the FROM clause; the alias is `given`. */
    source: `unnest(${definitions.map(([type], n) => `$${n + 1}::${type}[]`).join(', ')}) AS given (${names})`,
    params: (rows: Row[]) =>
      definitions.map(([type, read]) => {
        const values = rows.map(row => toParameter(read(row)))

        return type === 'bytea' ? byteaArray(values as Buffer[]) : values
      })
  }
}

function toParameter(value: unknown) {
  return value instanceof Date ? value.toISOString() : (value ?? null)
}
