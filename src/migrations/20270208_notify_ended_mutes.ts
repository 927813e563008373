import { Migration } from '@mikro-orm/migrations'

/** When a mute ends, what still fires is reported once; those that ended before are not reported. */
export class NotifyEndedMutes extends Migration {
  override up() {
    this.addSql(`
      ALTER TABLE notification_mutes ADD reported_at timestamptz;
      UPDATE notification_mutes SET reported_at = ends_at WHERE ends_at <= now();
      CREATE INDEX notification_mutes_unreported ON notification_mutes (ends_at) WHERE reported_at IS NULL;
    `)
  }
}
