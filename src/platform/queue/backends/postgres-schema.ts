import { createHash } from 'node:crypto'
import { LATEST_SCHEMA_VERSION, runMigrations } from 'bullmq'
import type pg from 'pg'
import type { DatabaseOptions } from '#platform/database/database.ts'

export function queueSchema(config: Pick<DatabaseOptions, 'namespace'>) {
  return `${config.namespace}_queue`
}

/** Creates BullMQ's tables and applies our changes to them. */
export async function migratePostgresQueues(config: Pick<DatabaseOptions, 'namespace'>, client: pg.ClientBase) {
  const schema = queueSchema(config)

  await runMigrations(client, schema)
  for (const change of changesTo(schema)) await client.query(change)
  await client.query(`COMMENT ON TABLE "${schema}".job IS '${schemaMark}'`)
}

/** Stored as the comment of the job table: tells whether this release's changes are applied. */
export const schemaMark = `tocsin ${LATEST_SCHEMA_VERSION} ${createHash('sha256').update(changesTo('').join()).digest('hex').slice(0, 16)}`

function changesTo(schema: string) {
  return [
    // Payloads are already compressed.
    `ALTER TABLE "${schema}".job ALTER COLUMN data SET STORAGE EXTERNAL`,
    `ALTER TABLE "${schema}".job SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000)`,
    preservePosition(schema),
    disableEvents(schema)
  ]
}

/**
 * A job that is returned to the queue, or whose worker died, keeps its position, as on Redis. BullMQ would move it to
 * the end. Retries of failed jobs do go to the end.
 */
function preservePosition(schema: string) {
  return `
    CREATE OR REPLACE FUNCTION "${schema}".keep_position() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.seq := OLD.seq;
      RETURN NEW;
    END $$;

    CREATE OR REPLACE TRIGGER keep_position BEFORE UPDATE OF seq ON "${schema}".job FOR EACH ROW
    WHEN (OLD.state = 'active' AND NEW.state = 'waiting' AND NEW.attempts_made = OLD.attempts_made)
    EXECUTE FUNCTION "${schema}".keep_position()`
}

/** Queue events are unused, because some are lost. Writing and trimming them was half the cost of adding a batch. */
function disableEvents(schema: string) {
  return `
    CREATE OR REPLACE FUNCTION "${schema}".publish_event(p_queue text, p_event text, p_data jsonb) RETURNS bigint
    LANGUAGE sql IMMUTABLE AS 'SELECT 0::bigint'`
}
