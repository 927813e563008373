import { Migration } from '@mikro-orm/migrations'

/** How many projects a user may have in the personal namespace. */
export class ProjectsLimit extends Migration {
  override up() {
    this.addSql('ALTER TABLE users ADD projects_limit integer NOT NULL DEFAULT 100000')
  }
}
