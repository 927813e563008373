import { Migration } from '@mikro-orm/migrations'

/** Webhooks in the shape of GitLab. */
export class Webhooks extends Migration {
  override up() {
    this.addSql(`
      CREATE TABLE webhooks (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        project_id bigint REFERENCES projects ON DELETE CASCADE,
        group_id bigint REFERENCES namespaces ON DELETE CASCADE,
        name text,
        description text,
        url text NOT NULL,
        events jsonb NOT NULL DEFAULT '{}',
        push_events_branch_filter text NOT NULL DEFAULT '',
        branch_filter_strategy text NOT NULL DEFAULT 'wildcard',
        enable_ssl_verification boolean NOT NULL DEFAULT true,
        custom_webhook_template text,
        url_variable_keys text[] NOT NULL DEFAULT '{}',
        custom_header_keys text[] NOT NULL DEFAULT '{}',
        secrets bytea,
        recent_failures integer NOT NULL DEFAULT 0,
        disabled_until timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        calls integer NOT NULL DEFAULT 0,
        calls_minute timestamptz,
        CONSTRAINT webhooks_of_one CHECK (num_nonnulls(project_id, group_id) < 2)
      );
      CREATE INDEX webhooks_project ON webhooks (project_id) WHERE project_id IS NOT NULL;
      CREATE INDEX webhooks_group ON webhooks (group_id) WHERE group_id IS NOT NULL;
      CREATE INDEX webhooks_system ON webhooks (id) WHERE project_id IS NULL AND group_id IS NULL;

      CREATE TABLE webhook_deliveries (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        webhook_id bigint NOT NULL REFERENCES webhooks ON DELETE CASCADE,
        event_id bigint,
        uuid uuid NOT NULL DEFAULT gen_random_uuid(),
        event_uuid uuid NOT NULL DEFAULT gen_random_uuid(),
        event_name text NOT NULL,
        trigger text NOT NULL,
        payload text NOT NULL,
        status text NOT NULL DEFAULT 'pending',
        send_at timestamptz NOT NULL DEFAULT now(),
        attempts integer NOT NULL DEFAULT 0,
        tries integer NOT NULL DEFAULT 0,
        url text,
        request_headers jsonb NOT NULL DEFAULT '{}',
        response_headers jsonb NOT NULL DEFAULT '{}',
        response_status text,
        response_body text,
        execution_duration double precision,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        UNIQUE (webhook_id, event_id, trigger)
      );
      CREATE INDEX webhook_deliveries_webhook ON webhook_deliveries (webhook_id, id);
      CREATE INDEX webhook_deliveries_due ON webhook_deliveries (send_at) WHERE status IN ('pending', 'sending');
      CREATE INDEX webhook_deliveries_created ON webhook_deliveries (created_at);
      CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (webhook_id, id) WHERE status = 'waiting';
      CREATE INDEX webhook_deliveries_active ON webhook_deliveries (webhook_id) WHERE status IN ('pending', 'sending');
      CREATE INDEX webhook_deliveries_chain ON webhook_deliveries (event_uuid);

      -- No references: webhooks also hear of what was deleted.
      CREATE TABLE webhook_events (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        uuid uuid NOT NULL DEFAULT gen_random_uuid(),
        kind text NOT NULL,
        project_id bigint,
        group_id bigint,
        actor_id bigint,
        data jsonb NOT NULL DEFAULT '{}',
        key text UNIQUE,
        created_at timestamptz NOT NULL DEFAULT now(),
        dispatched_at timestamptz,
        failures integer NOT NULL DEFAULT 0,
        failure text,
        retry_at timestamptz
      );
      CREATE INDEX webhook_events_pending ON webhook_events (id) WHERE dispatched_at IS NULL;
      CREATE INDEX webhook_events_created ON webhook_events (created_at);
    `)
  }
}
