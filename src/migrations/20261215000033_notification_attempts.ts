import { Migration } from '@mikro-orm/migrations'

/** What the receiver answered to each attempt to send a delivery. */
export class NotificationAttempts extends Migration {
  override up() {
    this.addSql(`
      CREATE TABLE notification_attempts (
        delivery_id bigint NOT NULL REFERENCES notification_deliveries ON DELETE CASCADE,
        attempt integer NOT NULL,
        at timestamptz NOT NULL,
        status text NOT NULL,
        answer text NOT NULL,
        next_at timestamptz,
        PRIMARY KEY (delivery_id, attempt)
      );
    `)
  }
}
