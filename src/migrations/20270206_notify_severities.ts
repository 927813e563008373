import { Migration } from '@mikro-orm/migrations'

/** Severities decide which notifications wait, and which of a message comes first. */
export class NotifySeverities extends Migration {
  override up() {
    this.addSql(`
      ALTER TABLE notification_windows ADD worst alert_severity;
      ALTER TABLE notification_delivery_entries ADD severity alert_severity NOT NULL DEFAULT 'unknown';
      CREATE INDEX notification_delivery_entries_severity ON notification_delivery_entries (delivery_id, severity, outbox_id);
      DROP INDEX notification_delivery_entries_delivery;
    `)
  }
}
