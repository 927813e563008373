import type pg from 'pg'
import { queueSchema } from '../queue/backends/postgres-schema.ts'

/** `queue` is the schema of the queues, which exists when they are in Postgres. */
export type Part = 'main' | 'queue'

export interface Table {
  part: Part
  name: string
  /** Quoted, without generated columns. */
  columns: string
  /** The partitioned table, and the bound, of a partition. */
  parent: string | null
  bound: string | null
}

export interface Sequence {
  part: Part
  name: string
  last: string
}

export function schemaOf(namespace: string, part: Part) {
  return part === 'main' ? namespace : queueSchema({ namespace })
}

export function qualified(namespace: string, { part, name }: { part: Part; name: string }) {
  return `"${schemaOf(namespace, part)}"."${name}"`
}

/** Tables and partitions with data to keep. Migrations and the schema are created again on restore. */
export async function listTables(client: pg.ClientBase, namespace: string) {
  const { rows } = await client.query<Table>(
    `SELECT CASE n.nspname WHEN $1 THEN 'main' ELSE 'queue' END AS part, c.relname AS name, parent.relname AS parent,
            pg_get_expr(c.relpartbound, c.oid) AS bound,
            (SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) FROM pg_attribute
             WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = '') AS columns
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     LEFT JOIN pg_inherits i ON i.inhrelid = c.oid LEFT JOIN pg_class parent ON parent.oid = i.inhparent
     WHERE n.nspname IN ($1, $2) AND c.relkind = 'r' AND c.relpersistence = 'p' AND c.relname NOT LIKE 'migration%'
     ORDER BY 1, 2`,
    [namespace, queueSchema({ namespace })]
  )

  return rows
}

export async function listSequences(client: pg.ClientBase, namespace: string) {
  const { rows } = await client.query<Sequence>(
    `SELECT CASE schemaname WHEN $1 THEN 'main' ELSE 'queue' END AS part, sequencename AS name, last_value::text AS last
     FROM pg_sequences WHERE schemaname IN ($1, $2) AND last_value IS NOT NULL AND sequencename NOT LIKE 'migration%'`,
    [namespace, queueSchema({ namespace })]
  )

  return rows
}

/** Statements that drop the foreign keys, so that tables can be loaded in any order, and those that create them again. */
export async function foreignKeys(client: pg.ClientBase, namespace: string) {
  const { rows } = await client.query<{ drop: string; add: string }>(
    `SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS drop,
            format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS add
     FROM pg_constraint WHERE contype = 'f' AND conparentid = 0 AND connamespace::regnamespace::text IN ($1, $2)`,
    [namespace, queueSchema({ namespace })]
  )

  return { drop: rows.map(({ drop }) => drop), add: rows.map(({ add }) => add) }
}
