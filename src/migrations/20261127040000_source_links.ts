import { Migration } from '@mikro-orm/migrations'

/** The commit of a release, and where the code of its frames is. */
export class SourceLinks extends Migration {
  override up() {
    this.addSql(`
      ALTER TABLE error_releases ADD COLUMN commit_sha text;
      ALTER TABLE error_settings ADD COLUMN source_link text;
    `)
  }
}
