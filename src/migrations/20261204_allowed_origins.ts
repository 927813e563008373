import { Migration } from '@mikro-orm/migrations'

/** The origins of pages that may send events with a client key; any when empty. */
export class AllowedOrigins extends Migration {
  override up() {
    this.addSql(`ALTER TABLE client_keys ADD allowed_origins text[] NOT NULL DEFAULT '{}'`)
  }
}
