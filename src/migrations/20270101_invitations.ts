import { Migration } from '@mikro-orm/migrations'

/** People are invited to projects and groups by e-mail; mail about places waits in a table until it is sent. */
export class Invitations extends Migration {
  override up() {
    this.addSql(`
      CREATE TABLE invitations (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        project_id bigint REFERENCES projects ON DELETE CASCADE,
        group_id bigint REFERENCES namespaces ON DELETE CASCADE,
        email text NOT NULL CHECK (length(email) <= 255),
        access_level smallint NOT NULL,
        expires_at date,
        created_by_id bigint REFERENCES users ON DELETE SET NULL,
        salt bytea NOT NULL,
        open_until timestamptz NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT invitations_of_one CHECK (num_nonnulls(project_id, group_id) = 1)
      );
      CREATE UNIQUE INDEX invitations_project ON invitations (project_id, lower(email)) WHERE project_id IS NOT NULL;
      CREATE UNIQUE INDEX invitations_group ON invitations (group_id, lower(email)) WHERE group_id IS NOT NULL;
      CREATE INDEX invitations_email ON invitations (lower(email));
      CREATE INDEX invitations_created_by ON invitations (created_by_id);
      CREATE INDEX invitations_open_until ON invitations (open_until);

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
