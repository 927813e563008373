import { Migration } from '@mikro-orm/migrations'

/** Events that a project drops before they are stored. */
export class InboundFilters extends Migration {
  override up() {
    this.addSql(`
      ALTER TABLE error_settings
        ADD filters_browser_extensions boolean NOT NULL DEFAULT false,
        ADD filters_web_crawlers boolean NOT NULL DEFAULT false,
        ADD filters_localhost boolean NOT NULL DEFAULT false,
        ADD filtered_releases text[] NOT NULL DEFAULT '{}',
        ADD filtered_messages text[] NOT NULL DEFAULT '{}'
    `)
  }
}
