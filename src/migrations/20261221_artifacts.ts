import { Migration } from '@mikro-orm/migrations'

/** What CI jobs leave behind, and the projects whose jobs may use another one. */
export class Artifacts extends Migration {
  override up() {
    this.addSql(`
      CREATE TABLE ci_job_artifacts (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        job_id bigint NOT NULL REFERENCES ci_jobs ON DELETE CASCADE,
        project_id bigint NOT NULL REFERENCES projects ON DELETE CASCADE,
        type text NOT NULL,
        format text NOT NULL,
        filename text NOT NULL,
        size bigint NOT NULL,
        sha256 bytea NOT NULL,
        stored_as text NOT NULL UNIQUE,
        -- The least role that may read it.
        min_role integer NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz,
        UNIQUE (job_id, type)
      );
      CREATE INDEX ci_job_artifacts_project ON ci_job_artifacts (project_id);
      CREATE INDEX ci_job_artifacts_expiry ON ci_job_artifacts (expires_at);

      CREATE INDEX ci_jobs_name ON ci_jobs (project_id, name, id) WHERE status = 'success';
    `)
  }
}
