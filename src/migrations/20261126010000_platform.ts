import { Migration } from '@mikro-orm/migrations'

/** Processes, receipts of jobs, and the settings of the installation. */
export class Platform extends Migration {
  override up() {
    this.addSql(`
      CREATE TABLE processes (
        name text PRIMARY KEY,
        role text NOT NULL,
        queues text[] NOT NULL,
        host text NOT NULL,
        pid integer NOT NULL,
        started_at timestamptz NOT NULL,
        seen_at timestamptz NOT NULL,
        metrics text NOT NULL
      );

      CREATE UNLOGGED TABLE receipts (
        job_id text PRIMARY KEY,
        results jsonb NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now()
      );

      CREATE TABLE worker_stalls (
        queue text PRIMARY KEY,
        stalls bigint NOT NULL,
        last_job text NOT NULL,
        last_at timestamptz NOT NULL
      );

      CREATE TABLE secret_key (
        id smallint DEFAULT 1 PRIMARY KEY CHECK (id = 1),
        fingerprint text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now()
      );

      CREATE TABLE instance_settings (
        id smallint PRIMARY KEY CHECK (id = 1),
        default_projects_limit integer NOT NULL CHECK (default_projects_limit >= 0),
        can_create_group boolean NOT NULL,
        default_project_visibility text NOT NULL CHECK (default_project_visibility IN ('private', 'internal', 'public')),
        default_group_visibility text NOT NULL CHECK (default_group_visibility IN ('private', 'internal', 'public')),
        default_branch_name text NOT NULL,
        updated_at timestamptz NOT NULL DEFAULT now(),
        deletion_adjourned_period integer NOT NULL DEFAULT 0 CHECK (deletion_adjourned_period >= 0 AND deletion_adjourned_period <= 90)
      );
    `)
  }
}
