import { Migration } from '@mikro-orm/migrations'

/** Monitors that request a URL, and why their runs failed. */
export class HttpMonitors extends Migration {
  override up() {
    this.addSql(`
      ALTER TABLE monitors
        ADD COLUMN kind text NOT NULL DEFAULT 'cron' CHECK (kind IN ('cron', 'http')),
        -- What is requested, and which answer is good.
        ADD COLUMN http jsonb,
        -- Encrypted JSON of the request's headers.
        ADD COLUMN http_headers bytea,
        ADD CHECK ((kind = 'http') = (http IS NOT NULL));

      -- When a worker may take the next check; while it is in flight, when the check counts as lost.
      ALTER TABLE monitor_environments ADD COLUMN check_at timestamptz;
      CREATE INDEX monitor_environments_check ON monitor_environments (check_at) WHERE check_at IS NOT NULL;

      ALTER TABLE monitor_runs ADD COLUMN reason text;
    `)
  }
}
