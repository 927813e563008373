import { Migration } from '@mikro-orm/migrations'

/** Payloads that are not of the sender that an integration expects. */
export class AlertMisfits extends Migration {
  override up() {
    this.addSql(`
      CREATE TABLE alert_misfits (
        integration_id bigint PRIMARY KEY REFERENCES alert_integrations ON DELETE CASCADE,
        payloads bigint NOT NULL,
        first_at timestamptz NOT NULL,
        last_at timestamptz NOT NULL,
        missing text[] NOT NULL,
        read_as text NOT NULL CHECK (read_as IN ('alertmanager', 'json'))
      ) WITH (fillfactor = 70);
    `)
  }
}
