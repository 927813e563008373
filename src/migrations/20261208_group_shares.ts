import { Migration } from '@mikro-orm/migrations'

/** Projects and groups are shared with groups. */
export class GroupShares extends Migration {
  override up() {
    this.addSql(`
      CREATE TABLE group_shares (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        project_id bigint REFERENCES projects ON DELETE CASCADE,
        group_id bigint REFERENCES namespaces ON DELETE CASCADE,
        with_group_id bigint NOT NULL REFERENCES namespaces ON DELETE CASCADE,
        access_level smallint NOT NULL,
        expires_at date,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT group_shares_of_one CHECK (num_nonnulls(project_id, group_id) = 1),
        UNIQUE (project_id, with_group_id),
        UNIQUE (group_id, with_group_id)
      );
      CREATE INDEX group_shares_with ON group_shares (with_group_id);

      -- The members of projects and groups, and those of the groups they are shared with: for a project also the inherited
      -- members of such a group. Bots of access tokens reach nothing beyond their own project or group.
      CREATE VIEW memberships AS
      SELECT id, project_id, group_id, user_id, access_level, created_by_id, expires_at, created_at, false AS is_shared FROM members
      UNION ALL
      SELECT m.id, s.project_id, NULL, m.user_id, least(m.access_level, s.access_level), m.created_by_id,
             least(m.expires_at, s.expires_at), m.created_at, true
      FROM group_shares s
      JOIN namespaces n ON n.id = s.with_group_id
      JOIN members m ON n.lineage @> ARRAY[m.group_id]
      JOIN users u ON u.id = m.user_id AND u.kind = 'human'
      WHERE s.project_id IS NOT NULL
      UNION ALL
      SELECT m.id, NULL, s.group_id, m.user_id, least(m.access_level, s.access_level), m.created_by_id,
             least(m.expires_at, s.expires_at), m.created_at, true
      FROM group_shares s
      JOIN members m ON m.group_id = s.with_group_id
      JOIN users u ON u.id = m.user_id AND u.kind = 'human'
      WHERE s.group_id IS NOT NULL;
    `)
  }
}
