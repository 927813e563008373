import { Migration } from '@mikro-orm/migrations'

/** Whether a repeated alert raises the severity and updates title and description. */
export class RepeatedAlerts extends Migration {
  override up() {
    this.addSql('ALTER TABLE alert_settings ADD updates_on_repeat boolean NOT NULL DEFAULT true')
  }
}
