import { Migration } from '@mikro-orm/migrations'

/** People, projects, tokens, errors, and what the platform keeps for itself. */
export class GroundFloor extends Migration {
  override up() {
    this.addSql(`
      CREATE TABLE users (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        username text NOT NULL,
        name text NOT NULL,
        email text NOT NULL,
        state text NOT NULL DEFAULT 'active',
        is_admin boolean NOT NULL DEFAULT false,
        password_hash text,
        must_change_password boolean NOT NULL DEFAULT false,
        created_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE UNIQUE INDEX users_username ON users (lower(username));
      CREATE UNIQUE INDEX users_email ON users (lower(email));

      CREATE TABLE sessions (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
        token_hash bytea NOT NULL UNIQUE,
        ip text,
        user_agent text,
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL
      );
      CREATE INDEX sessions_user ON sessions (user_id);
      CREATE INDEX sessions_expiry ON sessions (expires_at);

      CREATE TABLE access_tokens (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
        name text NOT NULL,
        token_hash bytea NOT NULL UNIQUE,
        scopes text[] NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz,
        revoked_at timestamptz,
        last_used_at timestamptz
      );
      CREATE INDEX access_tokens_user ON access_tokens (user_id);

      CREATE TABLE namespaces (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        kind text NOT NULL CHECK (kind IN ('user', 'group')),
        name text NOT NULL,
        path text NOT NULL,
        full_path text NOT NULL,
        parent_id bigint REFERENCES namespaces ON DELETE CASCADE,
        owner_id bigint REFERENCES users ON DELETE CASCADE,
        created_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE UNIQUE INDEX namespaces_full_path ON namespaces (lower(full_path));

      CREATE TABLE projects (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        namespace_id bigint NOT NULL REFERENCES namespaces ON DELETE CASCADE,
        creator_id bigint REFERENCES users ON DELETE SET NULL,
        name text NOT NULL,
        path text NOT NULL,
        full_path text NOT NULL,
        description text,
        visibility text NOT NULL DEFAULT 'private' CHECK (visibility IN ('private', 'internal', 'public')),
        created_at timestamptz NOT NULL DEFAULT now(),
        last_activity_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE UNIQUE INDEX projects_full_path ON projects (lower(full_path));
      CREATE INDEX projects_namespace ON projects (namespace_id);

      CREATE TABLE members (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        project_id bigint NOT NULL REFERENCES projects ON DELETE CASCADE,
        user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
        access_level smallint NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        UNIQUE (project_id, user_id)
      );
      CREATE INDEX members_user ON members (user_id);
    `)

    this.addSql(`
      CREATE TABLE error_settings (
        project_id bigint PRIMARY KEY REFERENCES projects ON DELETE CASCADE,
        active boolean NOT NULL,
        integrated boolean NOT NULL,
        project_name text,
        tracker_external_url text,
        api_url text
      );

      CREATE TABLE client_keys (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        project_id bigint NOT NULL REFERENCES projects ON DELETE CASCADE,
        public_key text NOT NULL UNIQUE,
        active boolean NOT NULL DEFAULT true,
        created_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX client_keys_project ON client_keys (project_id);

      CREATE TABLE error_groups (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        project_id bigint NOT NULL REFERENCES projects ON DELETE CASCADE,
        name text NOT NULL,
        description text NOT NULL,
        actor text NOT NULL,
        platform text,
        level text NOT NULL,
        status text NOT NULL DEFAULT 'unresolved' CHECK (status IN ('unresolved', 'resolved', 'ignored')),
        events bigint NOT NULL DEFAULT 0,
        first_seen_at timestamptz NOT NULL,
        last_seen_at timestamptz NOT NULL
      ) WITH (fillfactor = 70);
      CREATE INDEX error_groups_last_seen ON error_groups (project_id, status, last_seen_at DESC, id DESC);

      CREATE TABLE error_hashes (
        project_id bigint NOT NULL,
        hash bytea NOT NULL,
        group_id bigint NOT NULL REFERENCES error_groups ON DELETE CASCADE,
        grouping_version smallint NOT NULL,
        PRIMARY KEY (project_id, hash)
      );
      CREATE INDEX error_hashes_group ON error_hashes (group_id);

      CREATE TABLE error_events (
        project_id bigint NOT NULL,
        group_id bigint NOT NULL,
        event_id uuid NOT NULL,
        day date NOT NULL,
        occurred_at timestamptz NOT NULL,
        received_at timestamptz NOT NULL,
        level text NOT NULL,
        environment text,
        release text,
        platform text,
        payload bytea NOT NULL,
        PRIMARY KEY (project_id, event_id, day)
      ) PARTITION BY RANGE (day);
      ALTER TABLE error_events ALTER COLUMN payload SET STORAGE EXTERNAL;
      CREATE INDEX error_events_group ON error_events (project_id, group_id, occurred_at DESC, event_id DESC);

      CREATE TABLE error_tallies (
        project_id bigint NOT NULL,
        group_id bigint NOT NULL,
        hour timestamptz NOT NULL,
        events bigint NOT NULL,
        PRIMARY KEY (project_id, group_id, hour)
      ) WITH (fillfactor = 70);

      CREATE TABLE error_drops (
        project_id bigint NOT NULL,
        day date NOT NULL,
        category text NOT NULL,
        reason text NOT NULL,
        items bigint NOT NULL,
        PRIMARY KEY (project_id, day, category, reason)
      );

      CREATE TABLE error_drop_marks (
        envelope_id uuid PRIMARY KEY,
        counted_at timestamptz NOT NULL DEFAULT now()
      );
    `)

    this.addSql(`
      CREATE UNLOGGED TABLE receipts (
        job_id text PRIMARY KEY,
        results jsonb NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now()
      );

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
    `)
  }
}
