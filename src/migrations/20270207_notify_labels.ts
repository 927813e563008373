import { Migration } from '@mikro-orm/migrations'

/** The labels of alerts, which rules and mutes match. */
export class NotifyLabels extends Migration {
  override up() {
    this.addSql(`ALTER TABLE alerts ADD labels text[] NOT NULL DEFAULT '{}'`)
  }
}
