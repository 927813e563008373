import { Migration } from '@mikro-orm/migrations'

/** The projects and groups whose jobs may use a project by their token. */
export class JobTokenScope extends Migration {
  override up() {
    this.addSql(`
      ALTER TABLE projects ADD limits_job_tokens boolean NOT NULL DEFAULT true;

      CREATE TABLE job_token_allowances (
        project_id bigint NOT NULL REFERENCES projects ON DELETE CASCADE,
        allowed_project_id bigint REFERENCES projects ON DELETE CASCADE,
        allowed_group_id bigint REFERENCES namespaces ON DELETE CASCADE,
        created_at timestamptz NOT NULL DEFAULT now(),
        CHECK (num_nonnulls(allowed_project_id, allowed_group_id) = 1),
        UNIQUE NULLS NOT DISTINCT (project_id, allowed_project_id, allowed_group_id)
      );
      CREATE INDEX job_token_allowances_project ON job_token_allowances (allowed_project_id);
      CREATE INDEX job_token_allowances_group ON job_token_allowances (allowed_group_id);
    `)
  }
}
