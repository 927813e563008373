import { Migration } from '@mikro-orm/migrations'

/** Rules that report errors which reach many users, and releases whose sessions crash. */
export class RuleConditions extends Migration {
  override up() {
    this.addSql(`
      ALTER TABLE notification_rules
        ADD COLUMN threshold_users integer,
        ADD COLUMN crash_free_percent double precision;
      ALTER TABLE error_samples ADD COLUMN users bigint;
      -- Messages name what they are about by a number.
      ALTER TABLE error_releases ADD COLUMN id bigint GENERATED ALWAYS AS IDENTITY UNIQUE;
    `)
  }
}
