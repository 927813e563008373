import { Migration } from '@mikro-orm/migrations'

/** Variables that the jobs of a project, a group or the installation get. */
export class CiVariables extends Migration {
  override up() {
    this.addSql(`
      CREATE TABLE ci_variables (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        project_id bigint REFERENCES projects ON DELETE CASCADE,
        group_id bigint REFERENCES namespaces ON DELETE CASCADE,
        key text NOT NULL,
        value bytea NOT NULL,
        type text NOT NULL DEFAULT 'env_var' CHECK (type IN ('env_var', 'file')),
        description text,
        environment_scope text NOT NULL DEFAULT '*',
        is_protected boolean NOT NULL DEFAULT false,
        is_masked boolean NOT NULL DEFAULT false,
        is_hidden boolean NOT NULL DEFAULT false,
        is_raw boolean NOT NULL DEFAULT false,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        CHECK (project_id IS NULL OR group_id IS NULL)
      );
      CREATE UNIQUE INDEX ci_variables_key ON ci_variables (project_id, group_id, key, environment_scope) NULLS NOT DISTINCT;
      CREATE INDEX ci_variables_group ON ci_variables (group_id);
      ALTER TABLE ci_jobs ADD COLUMN given_variables bytea;
    `)
  }
}
