import { Migration } from '@mikro-orm/migrations'

/** Tags expire with the events that had them: they may name users. A search is saved once under its name. */
export class ErrorTagDays extends Migration {
  override up() {
    this.addSql(`
      ALTER TABLE error_tags ADD seen_on date NOT NULL DEFAULT (now() AT TIME ZONE 'UTC')::date;
      CREATE INDEX error_tags_seen ON error_tags (seen_on);
      CREATE UNIQUE INDEX error_searches_saved_name ON error_searches_saved (project_id, coalesce(user_id, 0), name);
    `)
  }
}
