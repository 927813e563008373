import { Migration } from '@mikro-orm/migrations'

/** Alert integrations and alerts. */
export class Alerts extends Migration {
  override up() {
    this.addSql(`
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
        preset text,
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
        requests_per_minute integer,
        updated_at timestamptz NOT NULL DEFAULT now(),
        updates_on_repeat boolean NOT NULL DEFAULT true
      );

      CREATE TYPE alert_status AS ENUM ('triggered', 'acknowledged', 'resolved', 'ignored');

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
        last_seen_at timestamptz NOT NULL DEFAULT now(),
        recurrence_key text,
        labels text[] NOT NULL DEFAULT '{}',
        UNIQUE (project_id, iid)
      ) WITH (fillfactor = 70);
      CREATE UNIQUE INDEX alerts_open ON alerts (project_id, fingerprint) WHERE status <> 'resolved'::alert_status AND fingerprint IS NOT NULL;
      CREATE INDEX alerts_started ON alerts (project_id, status, started_at DESC, id DESC);
      CREATE INDEX alerts_issue ON alerts (issue_id) WHERE issue_id IS NOT NULL;
      CREATE INDEX alerts_recurrence ON alerts (project_id, recurrence_key, iid DESC) WHERE recurrence_key IS NOT NULL;
      CREATE INDEX alerts_severity ON alerts (project_id, status, severity, started_at DESC, id DESC);
      CREATE INDEX alerts_service ON alerts (project_id, status, service, started_at DESC, id DESC) WHERE service IS NOT NULL;
      CREATE INDEX alerts_environment ON alerts (project_id, status, environment, started_at DESC, id DESC) WHERE environment IS NOT NULL;
      CREATE INDEX alerts_integration ON alerts (project_id, status, integration_id, started_at DESC, id DESC) WHERE integration_id IS NOT NULL;

      CREATE TABLE alert_assignees (
        alert_id bigint NOT NULL REFERENCES alerts ON DELETE CASCADE,
        user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
        PRIMARY KEY (alert_id, user_id)
      );
      CREATE INDEX alert_assignees_user ON alert_assignees (user_id);

      CREATE TABLE alert_hours (
        alert_id bigint NOT NULL REFERENCES alerts ON DELETE CASCADE,
        hour timestamptz NOT NULL,
        events bigint NOT NULL,
        PRIMARY KEY (alert_id, hour)
      );

      -- Comments and changes: a change has an action.
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
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX alert_metric_images_alert ON alert_metric_images (alert_id, id);

      -- The response to each request: a repeated one changes nothing and gets the same.
      CREATE TABLE alert_requests (
        id uuid PRIMARY KEY,
        answer jsonb NOT NULL,
        answered_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX alert_requests_age ON alert_requests USING brin (answered_at);
    `)
  }
}
