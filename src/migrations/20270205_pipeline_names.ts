import { Migration } from '@mikro-orm/migrations'

/** Pipelines have names (`workflow:name`), by which they are found. */
export class PipelineNames extends Migration {
  override up() {
    this.addSql('ALTER TABLE ci_pipelines ADD name text')
    this.addSql('CREATE INDEX ci_pipelines_name ON ci_pipelines (project_id, name, id) WHERE name IS NOT NULL')
  }
}
