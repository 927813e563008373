import { Migration } from '@mikro-orm/migrations'

/** The overview of a project sums its events of each hour. The index by hour alone served only the retention, which this one serves, too. */
export class ProjectHours extends Migration {
  override up() {
    this.addSql(`
      DROP INDEX error_tallies_age;
      CREATE INDEX error_tallies_hour ON error_tallies (hour, project_id);
    `)
  }
}
