import { Migration } from '@mikro-orm/migrations'

/** Deliveries that wait for another attempt have a status of their own. */
export class NotifyRetries extends Migration {
  override up() {
    this.addSql(`
      UPDATE notification_deliveries SET status = 'retrying' WHERE status = 'sending' AND attempts > first_attempt;
      DROP INDEX notification_deliveries_due;
      CREATE INDEX notification_deliveries_due ON notification_deliveries (send_at) WHERE status IN ('pending', 'sending', 'retrying');
    `)
  }
}
