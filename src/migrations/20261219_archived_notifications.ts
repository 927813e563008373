import { Migration } from '@mikro-orm/migrations'

/** The rules of archived projects send nothing. */
export class ArchivedNotifications extends Migration {
  override up() {
    this.addSql(`
      CREATE OR REPLACE VIEW notified_projects AS
        SELECT r.project_id
        FROM (
          SELECT project_id FROM notification_rules WHERE is_active
          UNION ALL
          SELECT project_id FROM alert_settings WHERE sends_email
          UNION ALL
          SELECT project_id FROM project_integrations WHERE active AND (events->>'alert_events')::boolean
        ) r
        JOIN projects p ON p.id = r.project_id AND NOT p.is_archived;
    `)
  }
}
