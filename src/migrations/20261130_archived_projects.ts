import { Migration } from '@mikro-orm/migrations'

/** Archived projects are few: looking for them reads only those. */
export class ArchivedProjects extends Migration {
  override up() {
    this.addSql(`CREATE INDEX projects_archived ON projects (id) WHERE is_archived`)
  }
}
