import { Migration } from '@mikro-orm/migrations'

/** Users choose the time zone of their pages. Empty means the one of the browser. */
export class TimeZones extends Migration {
  override up() {
    this.addSql(`ALTER TABLE users ADD time_zone text NOT NULL DEFAULT ''`)
  }
}
