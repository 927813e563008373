import { Migration } from '@mikro-orm/migrations'

/** Saved searches have a REST API, with conditional requests. */
export class SavedSearchTimes extends Migration {
  override up() {
    this.addSql(`
      ALTER TABLE error_searches_saved
        ADD created_at timestamptz(3) NOT NULL DEFAULT now(),
        ADD updated_at timestamptz(3) NOT NULL DEFAULT now();
    `)
  }
}
