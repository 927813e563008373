import { Migration } from '@mikro-orm/migrations'

/** Issues that guests and the public must not learn about. */
export class ConfidentialIssues extends Migration {
  override up() {
    this.addSql(`
      ALTER TABLE issues ADD COLUMN is_confidential boolean NOT NULL DEFAULT false;
      CREATE INDEX issues_confidential ON issues (project_id, id) WHERE is_confidential;
    `)
  }
}
