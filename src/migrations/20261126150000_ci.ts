import { Migration } from '@mikro-orm/migrations'

/** Pipelines, jobs, runners and CI variables. */
export class Ci extends Migration {
  override up() {
    this.addSql(`
      CREATE TABLE ci_pipelines (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        project_id bigint NOT NULL REFERENCES projects ON DELETE CASCADE,
        iid bigint NOT NULL,
        user_id bigint REFERENCES users ON DELETE SET NULL,
        ref text NOT NULL,
        is_tag boolean NOT NULL,
        sha text NOT NULL,
        commit jsonb NOT NULL,
        source text NOT NULL,
        status text NOT NULL,
        variables bytea,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        started_at timestamptz,
        finished_at timestamptz,
        name text,
        UNIQUE (project_id, iid)
      );
      CREATE INDEX ci_pipelines_project ON ci_pipelines (project_id, id);
      CREATE INDEX ci_pipelines_ref ON ci_pipelines (project_id, ref, id);
      CREATE INDEX ci_pipelines_user ON ci_pipelines (user_id);
      CREATE INDEX ci_pipelines_sha ON ci_pipelines (project_id, sha, id);
      CREATE INDEX ci_pipelines_name ON ci_pipelines (project_id, name, id) WHERE name IS NOT NULL;

      CREATE TABLE ci_runners (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        type text NOT NULL CHECK (type IN ('instance_type', 'group_type', 'project_type')),
        group_id bigint REFERENCES namespaces ON DELETE CASCADE,
        creator_id bigint REFERENCES users ON DELETE SET NULL,
        description text,
        maintenance_note text,
        token_hash bytea NOT NULL UNIQUE,
        is_paused boolean NOT NULL DEFAULT false,
        is_locked boolean NOT NULL DEFAULT false,
        runs_untagged boolean NOT NULL DEFAULT true,
        tags text[] NOT NULL DEFAULT '{}',
        access_level text NOT NULL DEFAULT 'not_protected' CHECK (access_level IN ('not_protected', 'ref_protected')),
        maximum_timeout integer,
        info jsonb NOT NULL DEFAULT '{}',
        ip_address text,
        contacted_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT ci_runners_of_group CHECK ((type = 'group_type') = (group_id IS NOT NULL))
      );
      CREATE INDEX ci_runners_group ON ci_runners (group_id);
      CREATE INDEX ci_runners_creator ON ci_runners (creator_id);

      CREATE TABLE ci_runner_managers (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        runner_id bigint NOT NULL REFERENCES ci_runners ON DELETE CASCADE,
        system_id text NOT NULL,
        info jsonb NOT NULL,
        ip_address text,
        created_at timestamptz NOT NULL DEFAULT now(),
        contacted_at timestamptz NOT NULL DEFAULT now(),
        UNIQUE (runner_id, system_id)
      );

      CREATE TABLE ci_runner_projects (
        runner_id bigint NOT NULL REFERENCES ci_runners ON DELETE CASCADE,
        project_id bigint NOT NULL REFERENCES projects ON DELETE CASCADE,
        is_owner boolean NOT NULL,
        PRIMARY KEY (runner_id, project_id)
      );
      CREATE INDEX ci_runner_projects_project ON ci_runner_projects (project_id);

      CREATE TABLE ci_registration_tokens (
        token_hash bytea PRIMARY KEY,
        project_id bigint UNIQUE REFERENCES projects ON DELETE CASCADE,
        group_id bigint UNIQUE REFERENCES namespaces ON DELETE CASCADE,
        created_at timestamptz NOT NULL DEFAULT now(),
        CHECK (num_nonnulls(project_id, group_id) < 2)
      );
      CREATE UNIQUE INDEX ci_registration_tokens_instance ON ci_registration_tokens ((true)) WHERE project_id IS NULL AND group_id IS NULL;

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
        erased_at timestamptz,
        runner_id bigint REFERENCES ci_runners ON DELETE SET NULL,
        trace_size integer NOT NULL DEFAULT 0,
        -- The last time that its runner was heard of.
        seen_at timestamptz,
        given_variables bytea,
        reported_variables bytea
      );
      CREATE INDEX ci_jobs_pipeline ON ci_jobs (pipeline_id, id);
      CREATE INDEX ci_jobs_project ON ci_jobs (project_id, id);
      CREATE INDEX ci_jobs_user ON ci_jobs (user_id);
      CREATE INDEX ci_jobs_pending ON ci_jobs (id) WHERE status = 'pending';
      CREATE INDEX ci_jobs_open ON ci_jobs (id) WHERE status IN ('running', 'scheduled');
      CREATE INDEX ci_jobs_runner ON ci_jobs (runner_id, id);
      CREATE INDEX ci_jobs_running ON ci_jobs (project_id) WHERE status = 'running';
      CREATE INDEX ci_jobs_name ON ci_jobs (project_id, name, id) WHERE status = 'success';

      CREATE TABLE ci_job_trace_parts (
        job_id bigint NOT NULL REFERENCES ci_jobs ON DELETE CASCADE,
        position integer NOT NULL,
        data bytea NOT NULL,
        PRIMARY KEY (job_id, position)
      );

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

      CREATE TABLE job_tokens (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        project_id bigint NOT NULL REFERENCES projects ON DELETE CASCADE,
        user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
        token_hash bytea NOT NULL UNIQUE,
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL,
        job_id bigint NOT NULL UNIQUE REFERENCES ci_jobs ON DELETE CASCADE,
        ended_at timestamptz
      );
      CREATE INDEX job_tokens_project ON job_tokens (project_id);
      CREATE INDEX job_tokens_user ON job_tokens (user_id);
      CREATE INDEX job_tokens_ended ON job_tokens (ended_at);

      CREATE TABLE job_token_allowances (
        project_id bigint NOT NULL REFERENCES projects ON DELETE CASCADE,
        allowed_project_id bigint REFERENCES projects ON DELETE CASCADE,
        allowed_group_id bigint REFERENCES namespaces ON DELETE CASCADE,
        created_at timestamptz NOT NULL DEFAULT now(),
        CHECK (num_nonnulls(allowed_project_id, allowed_group_id) = 1),
        CONSTRAINT job_token_allowances_project_id_allowed_project_id_allowed__key UNIQUE NULLS NOT DISTINCT (project_id, allowed_project_id, allowed_group_id)
      );
      CREATE INDEX job_token_allowances_project ON job_token_allowances (allowed_project_id);
      CREATE INDEX job_token_allowances_group ON job_token_allowances (allowed_group_id);
    `)
  }
}
