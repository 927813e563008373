import { Migration } from '@mikro-orm/migrations'

/** Finds what webhooks were sent about a chain of events. */
export class WebhookChains extends Migration {
  override up() {
    this.addSql('CREATE INDEX webhook_deliveries_chain ON webhook_deliveries (event_uuid)')
  }
}
