import { Migration } from '@mikro-orm/migrations'

/** The pipelines of a commit are found by its sha. */
export class PipelinesOfCommits extends Migration {
  override up() {
    this.addSql('CREATE INDEX ci_pipelines_sha ON ci_pipelines (project_id, sha, id)')
  }
}
