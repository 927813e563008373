import { Migration } from '@mikro-orm/migrations'

/**
 * The list of alerts filters by these columns. Each index ends like `alerts_started`, so that a page is one stretch of it. None
 * contains a column that each occurrence changes, because an update would then write all indexes of the table.
 */
export class AlertTriage extends Migration {
  override up() {
    this.addSql(`
      CREATE INDEX alerts_severity ON alerts (project_id, status, severity, started_at DESC, id DESC);
      CREATE INDEX alerts_service ON alerts (project_id, status, service, started_at DESC, id DESC) WHERE service IS NOT NULL;
      CREATE INDEX alerts_environment ON alerts (project_id, status, environment, started_at DESC, id DESC) WHERE environment IS NOT NULL;
      CREATE INDEX alerts_integration ON alerts (project_id, status, integration_id, started_at DESC, id DESC)
        WHERE integration_id IS NOT NULL;
    `)
  }
}
