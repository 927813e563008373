import { Migration } from '@mikro-orm/migrations'

/** Pipelines and their jobs. */
export class Ci extends Migration {
  override up() {
    this.addSql(`
      ALTER TABLE project_counters DROP CONSTRAINT project_counters_kind_check;
      ALTER TABLE project_counters ADD CHECK (kind IN ('alerts', 'issues', 'pipelines'));

      CREATE TABLE ci_pipelines (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        project_id bigint NOT NULL REFERENCES projects ON DELETE CASCADE,
        iid bigint NOT NULL,
        user_id bigint REFERENCES users ON DELETE SET NULL,
        ref text NOT NULL,
        is_tag boolean NOT NULL,
        sha text NOT NULL,
        "commit" jsonb NOT NULL,
        source text NOT NULL,
        status text NOT NULL,
        variables bytea,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        started_at timestamptz,
        finished_at timestamptz,
        UNIQUE (project_id, iid)
      );
      CREATE INDEX ci_pipelines_project ON ci_pipelines (project_id, id);
      CREATE INDEX ci_pipelines_ref ON ci_pipelines (project_id, ref, id);
      CREATE INDEX ci_pipelines_user ON ci_pipelines (user_id);

      CREATE TABLE ci_jobs (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        project_id bigint NOT NULL REFERENCES projects ON DELETE CASCADE,
        pipeline_id bigint NOT NULL REFERENCES ci_pipelines ON DELETE CASCADE,
        user_id bigint REFERENCES users ON DELETE SET NULL,
        name text NOT NULL,
        base text NOT NULL,
        stage text NOT NULL,
        stage_index integer NOT NULL,
        status text NOT NULL,
        start_when text NOT NULL,
        allow_failure boolean NOT NULL,
        needs jsonb,
        keywords jsonb NOT NULL,
        variables jsonb NOT NULL,
        tags text[] NOT NULL DEFAULT '{}',
        timeout_seconds integer NOT NULL,
        is_retried boolean NOT NULL DEFAULT false,
        failure_reason text,
        exit_code integer,
        scheduled_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        queued_at timestamptz,
        started_at timestamptz,
        finished_at timestamptz,
        erased_at timestamptz
      );
      CREATE INDEX ci_jobs_pipeline ON ci_jobs (pipeline_id, id);
      CREATE INDEX ci_jobs_project ON ci_jobs (project_id, id);
      CREATE INDEX ci_jobs_user ON ci_jobs (user_id);
      CREATE INDEX ci_jobs_pending ON ci_jobs (id) WHERE status = 'pending';
      CREATE INDEX ci_jobs_open ON ci_jobs (id) WHERE status IN ('running', 'scheduled');
    `)
  }
}
