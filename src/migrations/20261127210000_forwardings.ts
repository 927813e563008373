import { Migration } from '@mikro-orm/migrations'

/** Projects that send on what they receive, and what waits for that. */
export class Forwardings extends Migration {
  override up() {
    this.addSql(`
      CREATE TABLE error_forwardings (
        project_id bigint PRIMARY KEY REFERENCES projects ON DELETE CASCADE,
        -- Encrypted.
        dsn bytea NOT NULL,
        is_active boolean NOT NULL DEFAULT true,
        forwarded bigint NOT NULL DEFAULT 0,
        refused bigint NOT NULL DEFAULT 0,
        dropped bigint NOT NULL DEFAULT 0,
        -- After failures, nothing is sent before this time.
        retry_at timestamptz,
        -- Until then, one job sends.
        leased_until timestamptz,
        failures integer NOT NULL DEFAULT 0,
        problem text,
        last_forwarded_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE TABLE forwarded_envelopes (
        project_id bigint NOT NULL REFERENCES error_forwardings ON DELETE CASCADE,
        id uuid NOT NULL,
        position bigint GENERATED ALWAYS AS IDENTITY,
        kind text,
        encoding text NOT NULL,
        body bytea NOT NULL,
        received_at timestamptz NOT NULL,
        PRIMARY KEY (project_id, id)
      );
      CREATE INDEX forwarded_envelopes_position ON forwarded_envelopes (project_id, position);
    `)
  }
}
