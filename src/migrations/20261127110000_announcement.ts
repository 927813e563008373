import { Migration } from '@mikro-orm/migrations'

/** What admins tell everyone, on every page. */
export class Announcement extends Migration {
  override up() {
    this.addSql(`
      ALTER TABLE instance_settings
        ADD COLUMN announcement text NOT NULL DEFAULT '',
        ADD COLUMN announcement_ends_at timestamptz;
    `)
  }
}
