import { createRequire } from 'node:module'
import pg from 'pg'
import type { Test } from 'tap'

export interface Statement {
  text: string
  values: unknown[]
}

/** One node of a plan that read a table. */
export interface Scan {
  kind: string
  table: string
  /** Rows that it returned or that its conditions removed, over all of its loops. */
  rows: number
}

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: PlanNode[]
}

/** MikroORM has a copy of the driver of its own. */
const drivers: (typeof pg)[] = [pg, createRequire(import.meta.resolve('@mikro-orm/postgresql'))('pg')]

/** Records the statements that read while an action runs; until the test is over, those of all connections of this process. */
export function recordReads(t: Test) {
  const reads: Statement[] = []

  for (const { Client } of drivers) {
    const query = Client.prototype.query as (...args: unknown[]) => unknown

    t.teardown(() => Object.assign(Client.prototype, { query }))
    Object.assign(Client.prototype, {
      query(this: unknown, ...args: unknown[]) {
        const read = readArguments(args)

        if (/^\s*(select|with)\b/i.test(read.text)) reads.push(read)

        return query.apply(this, args)
      }
    })
  }

  return async (run: () => Promise<unknown>) => {
    reads.length = 0
    await run()

    return reads.splice(0)
  }
}

function readArguments([query, values]: unknown[]): Statement {
  if (typeof query === 'string') return { text: query, values: Array.isArray(values) ? values : [] }
  const { text = '', values: given = [] } = (query ?? {}) as Partial<Statement>

  return { text, values: given }
}

/** Runs a statement once more and returns how its tables were read. */
export async function explain(pool: pg.Pool, { text, values }: Statement): Promise<Scan[]> {
  const { rows } = await pool.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`, values)

  return scansOf(rows[0]['QUERY PLAN'][0].Plan)
}

function scansOf(node: PlanNode): Scan[] {
  const { 'Relation Name': table, 'Index Name': index, 'Actual Rows': rows, 'Actual Loops': loops } = node
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
  const scans = table || index ? [{ kind: node['Node Type'], table: table ?? index!, rows: Math.round((rows + removed) * loops) }] : []

  return [...scans, ...(node.Plans ?? []).flatMap(scansOf)]
}
