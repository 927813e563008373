import { Migration } from '@mikro-orm/migrations'

/** Events of webhooks that could not be dispatched are tried again. */
export class WebhookRetries extends Migration {
  override up() {
    this.addSql(`
      ALTER TABLE webhook_events
        ADD COLUMN failures integer NOT NULL DEFAULT 0,
        ADD COLUMN failure text,
        ADD COLUMN retry_at timestamptz;
    `)
  }
}
