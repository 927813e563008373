import { Migration } from '@mikro-orm/migrations'

/** Mails and the events of webhooks move into the outbox. Each entry names its consumer. */
export class OneOutbox extends Migration {
  override up() {
    this.addSql(`
      ALTER TABLE outbox
        ADD consumer text NOT NULL DEFAULT 'notifications',
        ADD group_id bigint,
        ADD uuid uuid NOT NULL DEFAULT gen_random_uuid(),
        ADD ended_at timestamptz,
        ADD outcome text CHECK (outcome IN ('sent', 'failed', 'discarded')),
        ADD failures integer NOT NULL DEFAULT 0,
        ADD failure text,
        ADD retry_at timestamptz,
        ALTER project_id DROP NOT NULL,
        ALTER subject_id DROP NOT NULL,
        -- No references: webhooks also hear of what was deleted.
        DROP CONSTRAINT outbox_project_id_fkey,
        DROP CONSTRAINT outbox_actor_id_fkey;
      ALTER TABLE outbox ALTER consumer DROP DEFAULT;
      UPDATE outbox SET ended_at = dispatched_at WHERE dispatched_at IS NOT NULL;

      INSERT INTO outbox (consumer, kind, project_id, group_id, subject_id, actor_id, data, key, created_at, dispatched_at, ended_at, outcome)
      SELECT 'mail', kind, project_id, group_id, coalesce(invitation_id, user_id), actor_id, jsonb_strip_nulls(jsonb_build_object('accessLevel', access_level)),
        key, created_at, dispatched_at, ended_at, outcome FROM mails ORDER BY id;
      DROP TABLE mails;

      INSERT INTO outbox (consumer, kind, project_id, group_id, actor_id, data, key, uuid, created_at, dispatched_at, ended_at, failures, failure, retry_at)
      SELECT 'webhooks', kind, project_id, group_id, actor_id, data, key, uuid, created_at, dispatched_at, dispatched_at, failures, failure, retry_at
      FROM webhook_events ORDER BY id;
      DROP TABLE webhook_events;

      DROP INDEX outbox_pending, outbox_actor;
      CREATE INDEX outbox_open ON outbox (consumer, id) WHERE ended_at IS NULL;
      CREATE INDEX outbox_invitation ON outbox (subject_id, id) WHERE kind = 'invitation';
    `)
  }
}
