import { Migration } from '@mikro-orm/migrations'

/** Projects and groups are marked for deletion, with what is in them, and deleted after a period; until then they are read-only. */
export class DeletionMarks extends Migration {
  override up() {
    this.addSql(`
      ALTER TABLE instance_settings ADD deletion_adjourned_period integer NOT NULL DEFAULT 0
        CHECK (deletion_adjourned_period BETWEEN 0 AND 90);

      ALTER TABLE namespaces
        ADD marked_for_deletion_at timestamptz,
        ADD marked_with_id bigint REFERENCES namespaces ON DELETE SET NULL;
      CREATE INDEX namespaces_marked ON namespaces (marked_for_deletion_at, id) WHERE marked_for_deletion_at IS NOT NULL;
      CREATE INDEX namespaces_marked_with ON namespaces (marked_with_id) WHERE marked_with_id IS NOT NULL;

      ALTER TABLE projects
        ADD marked_for_deletion_at timestamptz,
        ADD marked_with_id bigint REFERENCES namespaces ON DELETE SET NULL,
        ADD read_only_reason text GENERATED ALWAYS AS
          (CASE WHEN marked_for_deletion_at IS NOT NULL THEN 'marked for deletion' WHEN is_archived THEN 'archived' END) STORED;
      CREATE INDEX projects_marked ON projects (marked_for_deletion_at, id) WHERE marked_for_deletion_at IS NOT NULL;
      CREATE INDEX projects_marked_with ON projects (marked_with_id) WHERE marked_with_id IS NOT NULL;
      DROP INDEX projects_archived;
      CREATE INDEX projects_read_only ON projects (id) WHERE read_only_reason IS NOT NULL;

      CREATE OR REPLACE VIEW notified_projects AS
        SELECT r.project_id
        FROM (
          SELECT project_id FROM notification_rules WHERE is_active
          UNION ALL
          SELECT project_id FROM alert_settings WHERE sends_email
          UNION ALL
          SELECT project_id FROM project_integrations WHERE active AND (events->>'alert_events')::boolean
        ) r
        JOIN projects p ON p.id = r.project_id AND p.read_only_reason IS NULL;
    `)
  }
}
