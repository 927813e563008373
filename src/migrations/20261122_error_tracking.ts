import { Migration } from '@mikro-orm/migrations'

/** Error tracking, whole: quotas, scrubbing, release health, reports, attachments, and the life of a group. */
export class ErrorTracking extends Migration {
  override up() {
    this.addSql(`
      ALTER TABLE error_settings
        ADD events_per_minute integer,
        ADD has_spike_protection boolean NOT NULL DEFAULT true,
        ADD is_scrubbing boolean NOT NULL DEFAULT true,
        ADD scrubbed_keys text[] NOT NULL DEFAULT '{}',
        ADD safe_keys text[] NOT NULL DEFAULT '{}',
        ADD keeps_ip_addresses boolean NOT NULL DEFAULT true,
        ADD retention_days integer;
      ALTER TABLE client_keys
        ADD name text,
        ADD events_per_minute integer;

      CREATE TABLE error_usage (
        subject text NOT NULL,
        minute bigint NOT NULL,
        events bigint NOT NULL,
        PRIMARY KEY (subject, minute)
      );

      ALTER TABLE error_groups
        ADD users bigint NOT NULL DEFAULT 0,
        ADD first_release text,
        ADD last_release text,
        ADD environments text[] NOT NULL DEFAULT '{}',
        ADD releases text[] NOT NULL DEFAULT '{}',
        ADD assignee_id bigint REFERENCES users ON DELETE SET NULL,
        ADD resolved_at timestamptz,
        ADD resolved_in text,
        ADD is_resolved_in_next boolean NOT NULL DEFAULT false,
        ADD ignored_until timestamptz,
        ADD ignored_until_events bigint,
        ADD regressed_at timestamptz,
        ADD regressed_by uuid,
        ADD origin_envelope uuid;
      CREATE INDEX error_groups_first_seen ON error_groups (project_id, status, first_seen_at DESC, id DESC);
      CREATE INDEX error_groups_events ON error_groups (project_id, status, events DESC, id DESC);
      CREATE INDEX error_groups_users ON error_groups (project_id, status, users DESC, id DESC);

      ALTER TABLE error_events
        ADD envelope_id uuid,
        ADD hash bytea,
        ADD user_hash bigint,
        ADD tags text[] NOT NULL DEFAULT '{}';

      CREATE TABLE error_users (
        group_id bigint NOT NULL REFERENCES error_groups ON DELETE CASCADE,
        user_hash bigint NOT NULL,
        PRIMARY KEY (group_id, user_hash)
      );

      CREATE TABLE error_comments (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        group_id bigint NOT NULL REFERENCES error_groups ON DELETE CASCADE,
        author_id bigint REFERENCES users ON DELETE SET NULL,
        body text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX error_comments_group ON error_comments (group_id, id);

      CREATE TABLE error_releases (
        project_id bigint NOT NULL REFERENCES projects ON DELETE CASCADE,
        version text NOT NULL,
        first_seen_at timestamptz NOT NULL,
        last_seen_at timestamptz NOT NULL,
        PRIMARY KEY (project_id, version)
      );
    `)

    this.addSql(`
      CREATE TABLE error_sessions (
        project_id bigint NOT NULL REFERENCES projects ON DELETE CASCADE,
        hour timestamptz NOT NULL,
        release text NOT NULL,
        environment text NOT NULL,
        started bigint NOT NULL DEFAULT 0,
        exited bigint NOT NULL DEFAULT 0,
        errored bigint NOT NULL DEFAULT 0,
        crashed bigint NOT NULL DEFAULT 0,
        abnormal bigint NOT NULL DEFAULT 0,
        PRIMARY KEY (project_id, hour, release, environment)
      ) WITH (fillfactor = 70);

      CREATE TABLE error_session_states (
        project_id bigint NOT NULL,
        session_id text NOT NULL,
        state text NOT NULL,
        is_errored boolean NOT NULL,
        seq bigint NOT NULL,
        started_at timestamptz NOT NULL,
        PRIMARY KEY (project_id, session_id)
      ) WITH (fillfactor = 80);
      CREATE INDEX error_session_states_age ON error_session_states (started_at);

      CREATE TABLE error_feedback (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        project_id bigint NOT NULL REFERENCES projects ON DELETE CASCADE,
        envelope_id uuid NOT NULL,
        position integer NOT NULL,
        event_id uuid,
        name text NOT NULL,
        email text NOT NULL,
        comments text NOT NULL,
        received_at timestamptz NOT NULL,
        UNIQUE (project_id, envelope_id, position)
      );
      CREATE INDEX error_feedback_project ON error_feedback (project_id, id DESC);

      CREATE TABLE error_attachments (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        project_id bigint NOT NULL REFERENCES projects ON DELETE CASCADE,
        envelope_id uuid NOT NULL,
        position integer NOT NULL,
        event_id uuid,
        filename text NOT NULL,
        content_type text,
        size integer NOT NULL,
        content bytea NOT NULL,
        received_at timestamptz NOT NULL,
        UNIQUE (project_id, envelope_id, position)
      );
      ALTER TABLE error_attachments ALTER COLUMN content SET STORAGE EXTERNAL;
      CREATE INDEX error_attachments_event ON error_attachments (project_id, event_id);
      CREATE INDEX error_attachments_age ON error_attachments (received_at);

      CREATE TABLE error_losses (
        project_id bigint NOT NULL,
        day date NOT NULL,
        category text NOT NULL,
        reason text NOT NULL,
        items bigint NOT NULL,
        PRIMARY KEY (project_id, day, category, reason)
      );

      CREATE TABLE error_keeps (
        project_id bigint NOT NULL,
        day date NOT NULL,
        category text NOT NULL,
        items bigint NOT NULL,
        PRIMARY KEY (project_id, day, category)
      ) WITH (fillfactor = 70);
    `)
  }
}
