import type pg from 'pg'
import { type EntityManager, query } from '../../database/database.ts'

export type SampleValues = Record<string, number>

export interface Sample {
  at: Date
  values: SampleValues
}

/** Adds to the totals of all processes. In the order of names, so that two processes cannot deadlock. */
export async function addTotals(pool: pg.Pool, added: { name: string; value: number }[]) {
  if (added.length === 0) return
  await pool.query(
    `INSERT INTO metric_totals (name, value) SELECT * FROM unnest($1::text[], $2::double precision[]) ORDER BY 1
     ON CONFLICT (name) DO UPDATE SET value = metric_totals.value + EXCLUDED.value`,
    [added.map(({ name }) => name), added.map(({ value }) => value)]
  )
}

export async function readTotals(em: EntityManager): Promise<SampleValues> {
  const rows = await query<{ name: string; value: number }>(em, 'SELECT name, value FROM metric_totals')

  return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
}

/** The same sample twice is one: the first one stays. */
export async function insertSample(em: EntityManager, resolution: number, { at, values }: Sample) {
  await query(em, 'INSERT INTO health_samples (resolution, at, values) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING', [
    resolution,
    at.toISOString(),
    JSON.stringify(values)
  ])
}

/** Oldest first. */
export function readSamples(em: EntityManager, resolution: number, since: Date, until: Date) {
  return query<Sample>(em, 'SELECT at, values FROM health_samples WHERE resolution = $1 AND at > $2 AND at <= $3 ORDER BY at', [
    resolution,
    since.toISOString(),
    until.toISOString()
  ])
}

export async function hasSample(em: EntityManager, resolution: number, at: Date) {
  return (await query(em, 'SELECT FROM health_samples WHERE resolution = $1 AND at = $2', [resolution, at.toISOString()])).length > 0
}

export async function deleteSamples(em: EntityManager, resolution: number, before: Date) {
  await query(em, 'DELETE FROM health_samples WHERE resolution = $1 AND at < $2', [resolution, before.toISOString()])
}

export interface TableSize {
  name: string
  bytes: number
  /** As of the last vacuum or analyze; null before the first one. */
  rows: number | null
}

/** The tables of this installation and of its queues, the largest first; partitions count for their table. */
export function readTableSizes(em: EntityManager) {
  return query<TableSize>(
    em,
    `SELECT CASE WHEN c.relnamespace = current_schema()::regnamespace THEN '' ELSE 'queue.' END || coalesce(p.relname, c.relname) AS name,
       sum(pg_total_relation_size(c.oid))::bigint AS bytes, CASE WHEN NOT bool_or(c.reltuples < 0 AND pg_relation_size(c.oid) > 0) THEN sum(greatest(c.reltuples, 0))::bigint END AS rows
     FROM pg_class c LEFT JOIN pg_inherits i ON i.inhrelid = c.oid LEFT JOIN pg_class p ON p.oid = i.inhparent
     WHERE c.relkind = 'r' AND c.relnamespace IN (to_regnamespace(quote_ident(current_schema())), to_regnamespace(quote_ident(current_schema() || '_queue')))
     GROUP BY 1 ORDER BY 2 DESC, 1`
  )
}
