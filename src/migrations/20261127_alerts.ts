import { Migration } from '@mikro-orm/migrations'

/** Alerts: where they come from, what they are, what was done about them, and the incidents that they became. */
export class Alerts extends Migration {
  override up() {
    this.addSql(`
      -- In the order in which they are sorted.
      CREATE TYPE alert_severity AS ENUM ('critical', 'high', 'medium', 'low', 'info', 'unknown');
      CREATE TYPE alert_status AS ENUM ('triggered', 'acknowledged', 'resolved', 'ignored');

      -- The last number given out for each kind of thing in a project. Whoever gives one out holds its row.
      CREATE TABLE project_counters (
        project_id bigint NOT NULL REFERENCES projects ON DELETE CASCADE,
        kind text NOT NULL CHECK (kind IN ('alerts', 'issues')),
        last bigint NOT NULL DEFAULT 0,
        PRIMARY KEY (project_id, kind)
      ) WITH (fillfactor = 50);

      CREATE TABLE alert_integrations (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        project_id bigint NOT NULL REFERENCES projects ON DELETE CASCADE,
        name text NOT NULL,
        kind text NOT NULL CHECK (kind IN ('http', 'prometheus', 'on_call')),
        active boolean NOT NULL DEFAULT true,
        endpoint_identifier text NOT NULL,
        token_hash bytea NOT NULL,
        mapping jsonb NOT NULL DEFAULT '{}',
        sample_payload text,
        api_url text,
        external_url text,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        UNIQUE (project_id, endpoint_identifier)
      );

      CREATE TABLE alert_settings (
        project_id bigint PRIMARY KEY REFERENCES projects ON DELETE CASCADE,
        creates_incidents boolean NOT NULL DEFAULT false,
        closes_incidents boolean NOT NULL DEFAULT false,
        severity_floor alert_severity NOT NULL DEFAULT 'unknown',
        sends_email boolean NOT NULL DEFAULT false,
        incident_template text,
        is_fingerprinting boolean NOT NULL DEFAULT true,
        requests_per_minute integer
      );
    `)

    this.addSql(`
      CREATE TABLE issues (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        project_id bigint NOT NULL REFERENCES projects ON DELETE CASCADE,
        iid bigint NOT NULL,
        issue_type text NOT NULL DEFAULT 'issue' CHECK (issue_type IN ('issue', 'incident')),
        state text NOT NULL DEFAULT 'opened' CHECK (state IN ('opened', 'closed')),
        title text NOT NULL,
        description text,
        severity alert_severity NOT NULL DEFAULT 'unknown',
        author_id bigint REFERENCES users ON DELETE SET NULL,
        closed_by_id bigint REFERENCES users ON DELETE SET NULL,
        closed_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        UNIQUE (project_id, iid)
      );
      CREATE INDEX issues_author ON issues (author_id);
      CREATE INDEX issues_state ON issues (project_id, issue_type, state, created_at DESC, id DESC);

      CREATE TABLE issue_assignees (
        issue_id bigint NOT NULL REFERENCES issues ON DELETE CASCADE,
        user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
        PRIMARY KEY (issue_id, user_id)
      );
      CREATE INDEX issue_assignees_user ON issue_assignees (user_id);

      -- What people said, and what happened: the latter has an action.
      CREATE TABLE issue_notes (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        issue_id bigint NOT NULL REFERENCES issues ON DELETE CASCADE,
        author_id bigint REFERENCES users ON DELETE SET NULL,
        action text,
        body text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX issue_notes_issue ON issue_notes (issue_id, id);

      CREATE TABLE issue_links (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        source_id bigint NOT NULL REFERENCES issues ON DELETE CASCADE,
        target_id bigint NOT NULL REFERENCES issues ON DELETE CASCADE,
        link_type text NOT NULL DEFAULT 'relates_to' CHECK (link_type IN ('relates_to', 'blocks', 'is_blocked_by')),
        created_at timestamptz NOT NULL DEFAULT now(),
        UNIQUE (source_id, target_id)
      );
      CREATE INDEX issue_links_target ON issue_links (target_id);
    `)

    this.addSql(`
      CREATE TABLE alerts (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        project_id bigint NOT NULL,
        iid bigint NOT NULL,
        integration_id bigint,
        kind text NOT NULL CHECK (kind IN ('generic', 'metrics')),
        fingerprint text,
        status alert_status NOT NULL DEFAULT 'triggered',
        severity alert_severity NOT NULL,
        title text NOT NULL,
        description text,
        service text,
        monitoring_tool text,
        hosts text[] NOT NULL DEFAULT '{}',
        environment text,
        runbook text,
        metric_expression text,
        y_label text,
        incident_markdown text,
        events bigint NOT NULL DEFAULT 1,
        started_at timestamptz NOT NULL,
        ended_at timestamptz,
        payload text NOT NULL,
        issue_id bigint REFERENCES issues ON DELETE SET NULL,
        created_at timestamptz NOT NULL,
        updated_at timestamptz NOT NULL,
        UNIQUE (project_id, iid)
      ) WITH (fillfactor = 70);
      CREATE UNIQUE INDEX alerts_open ON alerts (project_id, fingerprint) WHERE status <> 'resolved' AND fingerprint IS NOT NULL;
      CREATE INDEX alerts_started ON alerts (project_id, status, started_at DESC, id DESC);
      CREATE INDEX alerts_issue ON alerts (issue_id) WHERE issue_id IS NOT NULL;

      CREATE TABLE alert_assignees (
        alert_id bigint NOT NULL REFERENCES alerts ON DELETE CASCADE,
        user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
        PRIMARY KEY (alert_id, user_id)
      );
      CREATE INDEX alert_assignees_user ON alert_assignees (user_id);

      -- What people said, and what happened: the latter has an action.
      CREATE TABLE alert_notes (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        alert_id bigint NOT NULL REFERENCES alerts ON DELETE CASCADE,
        author_id bigint REFERENCES users ON DELETE SET NULL,
        action text,
        body text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX alert_notes_alert ON alert_notes (alert_id, id);

      CREATE TABLE alert_metric_images (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        alert_id bigint NOT NULL REFERENCES alerts ON DELETE CASCADE,
        filename text NOT NULL,
        content_type text NOT NULL,
        size integer NOT NULL,
        stored_as text NOT NULL,
        url text,
        url_text text,
        created_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX alert_metric_images_alert ON alert_metric_images (alert_id, id);

      -- What each request was answered with: the same one again changes nothing, and is answered the same.
      CREATE TABLE alert_requests (
        id uuid PRIMARY KEY,
        answer jsonb NOT NULL,
        answered_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX alert_requests_age ON alert_requests USING brin (answered_at);
    `)
  }
}
