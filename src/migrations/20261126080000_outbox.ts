import { Migration } from '@mikro-orm/migrations'

/** Notifications and mails that wait to be sent. */
export class Outbox extends Migration {
  override up() {
    this.addSql(`
      CREATE TABLE outbox (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        kind text NOT NULL,
        project_id bigint NOT NULL REFERENCES projects ON DELETE CASCADE,
        subject_id bigint NOT NULL,
        actor_id bigint REFERENCES users ON DELETE SET NULL,
        data jsonb NOT NULL DEFAULT '{}',
        key text UNIQUE,
        created_at timestamptz NOT NULL DEFAULT now(),
        dispatched_at timestamptz
      );
      CREATE INDEX outbox_pending ON outbox (id) WHERE dispatched_at IS NULL;
      CREATE INDEX outbox_actor ON outbox (actor_id);
      CREATE INDEX outbox_created ON outbox (created_at);
      CREATE INDEX outbox_subject ON outbox (project_id, subject_id);

      CREATE TABLE mails (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        kind text NOT NULL,
        project_id bigint REFERENCES projects ON DELETE CASCADE,
        group_id bigint REFERENCES namespaces ON DELETE CASCADE,
        user_id bigint REFERENCES users ON DELETE CASCADE,
        invitation_id bigint REFERENCES invitations ON DELETE SET NULL,
        actor_id bigint REFERENCES users ON DELETE SET NULL,
        access_level smallint,
        key text UNIQUE,
        created_at timestamptz NOT NULL DEFAULT now(),
        dispatched_at timestamptz,
        ended_at timestamptz,
        outcome text CHECK (outcome IN ('sent', 'failed', 'discarded')),
        CONSTRAINT mails_of_one CHECK (num_nonnulls(project_id, group_id) = 1)
      );
      CREATE INDEX mails_open ON mails (id) WHERE ended_at IS NULL;
      CREATE INDEX mails_created_at ON mails (created_at);
      CREATE INDEX mails_project ON mails (project_id, created_at) WHERE project_id IS NOT NULL;
      CREATE INDEX mails_group ON mails (group_id, created_at) WHERE group_id IS NOT NULL;
      CREATE INDEX mails_user ON mails (user_id) WHERE user_id IS NOT NULL;
      CREATE INDEX mails_invitation ON mails (invitation_id) WHERE invitation_id IS NOT NULL;
      CREATE INDEX mails_actor ON mails (actor_id, created_at) WHERE actor_id IS NOT NULL;
    `)
  }
}
