import { Migration } from '@mikro-orm/migrations'

/** Long work in steps, with its progress. */
export class Tasks extends Migration {
  override up() {
    this.addSql(`
      CREATE TABLE tasks (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        kind text NOT NULL,
        -- What people read: "Resolving errors".
        title text NOT NULL,
        author_id bigint REFERENCES users ON DELETE SET NULL,
        -- Who acts apart from the author, and from where, as audit events tell it.
        origin jsonb NOT NULL,
        -- Without a foreign key: the project may be what is deleted.
        project_id bigint,
        params jsonb NOT NULL,
        cursor jsonb,
        state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'running', 'finished', 'failed')),
        done bigint NOT NULL DEFAULT 0,
        -- Null while it is not known.
        total bigint,
        -- When its steps began, after the last retry by a person, and what was done by then: the pace.
        started_at timestamptz,
        done_before bigint NOT NULL DEFAULT 0,
        -- Failures of the current step.
        failures integer NOT NULL DEFAULT 0,
        failure text,
        -- Jobs of earlier runs do nothing.
        run integer NOT NULL DEFAULT 1,
        -- After this time no worker is at it, and a new run begins.
        leased_until timestamptz NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        finished_at timestamptz
      );
      CREATE INDEX tasks_project ON tasks (project_id, id DESC) WHERE project_id IS NOT NULL;
      CREATE INDEX tasks_author ON tasks (author_id, kind, id DESC) WHERE author_id IS NOT NULL;
      CREATE INDEX tasks_open ON tasks (id DESC) WHERE state <> 'finished';
      CREATE INDEX tasks_finished ON tasks (finished_at) WHERE state = 'finished';

      -- Tasks go through the errors of a project in the order of their ids.
      CREATE INDEX error_groups_id ON error_groups (project_id, id) WHERE merged_into IS NULL;
    `)
  }
}
