import { Migration } from '@mikro-orm/migrations'

/** Requests to webhooks wait for a turn: their place and they themselves have bounds. */
export class WebhookTurns extends Migration {
  override up() {
    this.addSql(`
      ALTER TABLE webhooks ADD COLUMN calls integer NOT NULL DEFAULT 0, ADD COLUMN calls_minute timestamptz;
      CREATE INDEX webhooks_system ON webhooks (id) WHERE project_id IS NULL AND group_id IS NULL;
      CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (webhook_id, id) WHERE status = 'waiting';
      CREATE INDEX webhook_deliveries_active ON webhook_deliveries (webhook_id) WHERE status IN ('pending', 'sending');
    `)
  }
}
