import { Migration } from '@mikro-orm/migrations'

/** Channels, rules, mutes and deliveries. */
export class Notifications extends Migration {
  override up() {
    this.addSql(`
      CREATE TABLE notification_channels (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        project_id bigint NOT NULL REFERENCES projects ON DELETE CASCADE,
        kind text NOT NULL,
        name text NOT NULL,
        is_active boolean NOT NULL DEFAULT true,
        hourly_limit integer NOT NULL DEFAULT 20,
        settings jsonb NOT NULL DEFAULT '{}',
        secrets bytea,
        created_by_id bigint REFERENCES users ON DELETE SET NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX notification_channels_project ON notification_channels (project_id);
      CREATE INDEX notification_channels_creator ON notification_channels (created_by_id);

      CREATE TABLE notification_rules (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        project_id bigint NOT NULL REFERENCES projects ON DELETE CASCADE,
        name text NOT NULL,
        is_active boolean NOT NULL DEFAULT true,
        triggers text[] NOT NULL,
        severity_floor alert_severity,
        levels text[] NOT NULL DEFAULT '{}',
        environments text[] NOT NULL DEFAULT '{}',
        releases text[] NOT NULL DEFAULT '{}',
        tags text[] NOT NULL DEFAULT '{}',
        threshold_events integer,
        threshold_minutes integer,
        unseen_hours integer,
        gather_minutes integer NOT NULL DEFAULT 5,
        channel_ids bigint[] NOT NULL DEFAULT '{}',
        created_by_id bigint REFERENCES users ON DELETE SET NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX notification_rules_project ON notification_rules (project_id);
      CREATE INDEX notification_rules_creator ON notification_rules (created_by_id);

      CREATE TABLE notification_settings (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
        project_id bigint REFERENCES projects ON DELETE CASCADE,
        group_id bigint REFERENCES namespaces ON DELETE CASCADE,
        level text NOT NULL,
        events jsonb NOT NULL DEFAULT '{}',
        notification_email text,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        UNIQUE NULLS NOT DISTINCT (user_id, project_id, group_id)
      );
      CREATE INDEX notification_settings_project ON notification_settings (project_id);
      CREATE INDEX notification_settings_group ON notification_settings (group_id);

      CREATE TABLE notification_mutes (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        project_id bigint NOT NULL REFERENCES projects ON DELETE CASCADE,
        reason text NOT NULL,
        environment text,
        labels text[] NOT NULL DEFAULT '{}',
        starts_at timestamptz NOT NULL,
        ends_at timestamptz NOT NULL,
        created_by_id bigint REFERENCES users ON DELETE SET NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        reported_at timestamptz
      );
      CREATE INDEX notification_mutes_project ON notification_mutes (project_id, ends_at);
      CREATE INDEX notification_mutes_creator ON notification_mutes (created_by_id);
      CREATE INDEX notification_mutes_unreported ON notification_mutes (ends_at) WHERE reported_at IS NULL;

      CREATE TABLE notification_opt_outs (
        target text NOT NULL,
        project_id bigint NOT NULL REFERENCES projects ON DELETE CASCADE,
        subject text NOT NULL DEFAULT '',
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (project_id, target, subject)
      );

      CREATE TABLE notification_windows (
        target text NOT NULL,
        project_id bigint NOT NULL REFERENCES projects ON DELETE CASCADE,
        gathers_until timestamptz NOT NULL DEFAULT '-infinity'::timestamp with time zone,
        hour_starts_at timestamptz NOT NULL DEFAULT '-infinity'::timestamp with time zone,
        sent_in_hour integer NOT NULL DEFAULT 0,
        worst alert_severity,
        PRIMARY KEY (target, project_id)
      );
      CREATE INDEX notification_windows_project ON notification_windows (project_id);

      CREATE TABLE notification_deliveries (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        project_id bigint NOT NULL REFERENCES projects ON DELETE CASCADE,
        target text NOT NULL,
        channel_id bigint REFERENCES notification_channels ON DELETE SET NULL,
        user_id bigint REFERENCES users ON DELETE CASCADE,
        address text,
        reason text NOT NULL,
        status text NOT NULL DEFAULT 'pending',
        mute_id bigint REFERENCES notification_mutes ON DELETE SET NULL,
        send_at timestamptz NOT NULL,
        is_limited boolean NOT NULL DEFAULT false,
        attempts integer NOT NULL DEFAULT 0,
        first_attempt integer NOT NULL DEFAULT 0,
        answer text,
        sent_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX notification_deliveries_project ON notification_deliveries (project_id, id);
      CREATE INDEX notification_deliveries_open ON notification_deliveries (target, project_id) WHERE status = 'pending';
      CREATE INDEX notification_deliveries_channel ON notification_deliveries (channel_id);
      CREATE INDEX notification_deliveries_user ON notification_deliveries (user_id);
      CREATE INDEX notification_deliveries_mute ON notification_deliveries (mute_id);
      CREATE INDEX notification_deliveries_created ON notification_deliveries (created_at);
      CREATE INDEX notification_deliveries_last ON notification_deliveries (channel_id, updated_at, id) WHERE status IN ('sent', 'failed');
      CREATE INDEX notification_deliveries_due ON notification_deliveries (send_at) WHERE status IN ('pending', 'sending', 'retrying');

      CREATE TABLE notification_attempts (
        delivery_id bigint NOT NULL REFERENCES notification_deliveries ON DELETE CASCADE,
        attempt integer NOT NULL,
        at timestamptz NOT NULL,
        status text NOT NULL,
        answer text NOT NULL,
        next_at timestamptz,
        PRIMARY KEY (delivery_id, attempt)
      );

      CREATE TABLE notification_delivery_entries (
        outbox_id bigint NOT NULL REFERENCES outbox ON DELETE CASCADE,
        target text NOT NULL,
        delivery_id bigint NOT NULL REFERENCES notification_deliveries ON DELETE CASCADE,
        severity alert_severity NOT NULL DEFAULT 'unknown',
        PRIMARY KEY (outbox_id, target)
      );
      CREATE INDEX notification_delivery_entries_severity ON notification_delivery_entries (delivery_id, severity, outbox_id);

      -- Projects whose alerts and incidents are sent to rules or by e-mail.
      CREATE VIEW notified_projects AS
        SELECT r.project_id
        FROM (
          SELECT project_id FROM notification_rules WHERE is_active
          UNION ALL
          SELECT project_id FROM alert_settings WHERE sends_email
        ) r
        JOIN projects p ON p.id = r.project_id AND p.read_only_reason IS NULL;
    `)
  }
}
