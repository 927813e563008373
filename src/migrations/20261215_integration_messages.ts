import { Migration } from '@mikro-orm/migrations'

/** Alerts of projects whose integrations report alerts are written to the outbox, too. */
export class IntegrationMessages extends Migration {
  override up() {
    this.addSql(`
      CREATE OR REPLACE VIEW notified_projects AS
        SELECT project_id FROM notification_rules WHERE is_active
        UNION ALL
        SELECT project_id FROM alert_settings WHERE sends_email
        UNION ALL
        SELECT project_id FROM project_integrations WHERE active AND (events->>'alert_events')::boolean;
    `)
  }
}
