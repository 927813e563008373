import { createHash } from 'node:crypto'
import { LATEST_SCHEMA_VERSION, runMigrations } from 'bullmq'
import type pg from 'pg'
import type { DatabaseOptions } from '../database/database.ts'

export function queueSchema(config: Pick<DatabaseOptions, 'namespace'>) {
  return `${config.namespace}_queue`
}

/** Makes BullMQ's tables, and of them what this release needs. */
export async function migratePostgresQueues(config: Pick<DatabaseOptions, 'namespace'>, client: pg.PoolClient) {
  const schema = queueSchema(config)

  await runMigrations(client, schema)
  for (const change of changesTo(schema)) await client.query(change)
  await client.query(`COMMENT ON TABLE "${schema}".job IS '${mark}'`)
}

/** What the table of jobs is marked with where all of that was done: another release may have done something else. */
export const mark = `tocsin ${LATEST_SCHEMA_VERSION} ${createHash('sha256').update(changesTo('').join()).digest('hex').slice(0, 16)}`

function changesTo(schema: string) {
  return [
    // Payloads arrive compressed: having Postgres try again would cost time and save nothing.
    `ALTER TABLE "${schema}".job ALTER COLUMN data SET STORAGE EXTERNAL`,
    `ALTER TABLE "${schema}".job SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000)`,
    keepPlace(schema),
    silenceEvents(schema)
  ]
}

/**
 * A job that is given back, or whose worker died, goes on where it was, as it does on Redis. BullMQ would
 * put it at the end, behind those that came after it. What failed and is tried again is no such job.
 */
function keepPlace(schema: string) {
  return `
    CREATE OR REPLACE FUNCTION "${schema}".keep_place() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.seq := OLD.seq;
      RETURN NEW;
    END $$;

    CREATE OR REPLACE TRIGGER keep_place BEFORE UPDATE OF seq ON "${schema}".job FOR EACH ROW
    WHEN (OLD.state = 'active' AND NEW.state = 'waiting' AND NEW.attempts_made = OLD.attempts_made)
    EXECUTE FUNCTION "${schema}".keep_place()`
}

/**
 * The stream of events serves nobody here, for it loses some; yet every step of a job would write, announce and
 * trim two of them, which was half the cost of adding a batch.
 */
function silenceEvents(schema: string) {
  return `
    CREATE OR REPLACE FUNCTION "${schema}".publish_event(p_queue text, p_event text, p_data jsonb) RETURNS bigint
    LANGUAGE sql IMMUTABLE AS 'SELECT 0::bigint'`
}
