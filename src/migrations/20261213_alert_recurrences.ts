import { Migration } from '@mikro-orm/migrations'

/** How often an alert occurred in each hour after it was created, and which alerts are of the same condition. */
export class AlertRecurrences extends Migration {
  override up() {
    this.addSql(`
      ALTER TABLE alerts ADD COLUMN recurrence_key text;
      UPDATE alerts SET recurrence_key = fingerprint WHERE kind = 'generic';
      CREATE INDEX alerts_recurrence ON alerts (project_id, recurrence_key, iid DESC) WHERE recurrence_key IS NOT NULL;

      CREATE TABLE alert_hours (
        alert_id bigint NOT NULL REFERENCES alerts ON DELETE CASCADE,
        hour timestamptz NOT NULL,
        events bigint NOT NULL,
        PRIMARY KEY (alert_id, hour)
      );
    `)
  }
}
