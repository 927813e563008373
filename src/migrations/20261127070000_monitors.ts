import { Migration } from '@mikro-orm/migrations'

/** Monitors of recurring jobs, and their last hundred runs in each environment. */
export class Monitors extends Migration {
  override up() {
    this.addSql(`
      CREATE TABLE monitors (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        project_id bigint NOT NULL REFERENCES projects ON DELETE CASCADE,
        slug text NOT NULL,
        name text NOT NULL,
        -- {"type": "crontab", "value": "0 * * * *"} or {"type": "interval", "value": 5, "unit": "minute"}; null while none is known.
        schedule jsonb,
        timezone text NOT NULL DEFAULT 'UTC',
        margin_minutes integer NOT NULL DEFAULT 1,
        max_run_minutes integer NOT NULL DEFAULT 30,
        failure_threshold integer NOT NULL DEFAULT 1,
        recovery_threshold integer NOT NULL DEFAULT 1,
        is_muted boolean NOT NULL DEFAULT false,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        UNIQUE (project_id, slug)
      );

      CREATE TABLE monitor_environments (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        monitor_id bigint NOT NULL REFERENCES monitors ON DELETE CASCADE,
        environment text NOT NULL,
        state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'ok', 'failing')),
        failures integer NOT NULL DEFAULT 0,
        successes integer NOT NULL DEFAULT 0,
        -- The number of the last run.
        runs bigint NOT NULL DEFAULT 0,
        last_run_at timestamptz,
        -- When the next run is expected to begin, and when it counts as missed.
        due_at timestamptz,
        missed_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        UNIQUE (monitor_id, environment)
      ) WITH (fillfactor = 70);
      CREATE INDEX monitor_environments_missed ON monitor_environments (missed_at) WHERE missed_at IS NOT NULL;

      -- A ring: run n is in slot n % 100.
      CREATE TABLE monitor_runs (
        environment_id bigint NOT NULL REFERENCES monitor_environments ON DELETE CASCADE,
        slot smallint NOT NULL,
        run bigint NOT NULL,
        check_in_id uuid NOT NULL,
        status text NOT NULL CHECK (status IN ('in_progress', 'ok', 'error', 'missed', 'timeout')),
        expected_at timestamptz,
        started_at timestamptz NOT NULL,
        duration_ms bigint,
        -- While it is in progress: when it has run too long.
        late_at timestamptz,
        PRIMARY KEY (environment_id, slot)
      ) WITH (fillfactor = 70);
      CREATE INDEX monitor_runs_late ON monitor_runs (late_at) WHERE late_at IS NOT NULL;

      -- Payloads of alerts that wait for the queue.
      CREATE TABLE monitor_alerts (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        project_id bigint NOT NULL REFERENCES projects ON DELETE CASCADE,
        body text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now()
      );
    `)
  }
}
