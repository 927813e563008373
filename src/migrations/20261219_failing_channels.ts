import { Migration } from '@mikro-orm/migrations'

/** Home pages ask for the last delivery of each channel. */
export class FailingChannels extends Migration {
  override up() {
    this.addSql(`
      CREATE INDEX notification_deliveries_last ON notification_deliveries (channel_id, updated_at, id) WHERE status IN ('sent', 'failed');
    `)
  }
}
