import { Migration } from '@mikro-orm/migrations'

/** When an alert occurred last. Changes by users do not count, so it differs from `updated_at`. */
export class AlertOccurrences extends Migration {
  override up() {
    this.addSql(`
      ALTER TABLE alerts ADD COLUMN last_seen_at timestamptz NOT NULL DEFAULT now();
      UPDATE alerts SET last_seen_at = greatest(created_at, least(updated_at, ended_at));
    `)
  }
}
