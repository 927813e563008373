import { Migration } from '@mikro-orm/migrations'

/** Runners, and what they do with jobs: logs, artifacts, and tokens that exist while a job runs. */
export class Runners extends Migration {
  override up() {
    this.addSql(`
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

      CREATE TABLE ci_runner_projects (
        runner_id bigint NOT NULL REFERENCES ci_runners ON DELETE CASCADE,
        project_id bigint NOT NULL REFERENCES projects ON DELETE CASCADE,
        -- The first one owns the runner.
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

      ALTER TABLE ci_jobs
        ADD runner_id bigint REFERENCES ci_runners ON DELETE SET NULL,
        ADD trace_size integer NOT NULL DEFAULT 0,
        -- The last time that its runner was heard of.
        ADD seen_at timestamptz;
      CREATE INDEX ci_jobs_runner ON ci_jobs (runner_id, id);
      CREATE INDEX ci_jobs_running ON ci_jobs (project_id) WHERE status = 'running';

      CREATE TABLE ci_job_trace_parts (
        job_id bigint NOT NULL REFERENCES ci_jobs ON DELETE CASCADE,
        position integer NOT NULL,
        data bytea NOT NULL,
        PRIMARY KEY (job_id, position)
      );

      DELETE FROM job_tokens;
      ALTER TABLE job_tokens ADD job_id bigint NOT NULL UNIQUE REFERENCES ci_jobs ON DELETE CASCADE, ADD ended_at timestamptz;
      CREATE INDEX job_tokens_ended ON job_tokens (ended_at);
    `)
  }
}
