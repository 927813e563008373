import { Migration } from '@mikro-orm/migrations'

/** Who can create an account. */
export class SignUp extends Migration {
  override up() {
    this.addSql(`
      ALTER TABLE instance_settings
        ADD COLUMN sign_up text NOT NULL DEFAULT 'off' CHECK (sign_up IN ('off', 'invited', 'domains', 'approval')),
        ADD COLUMN domain_allowlist text[] NOT NULL DEFAULT '{}';
      CREATE INDEX users_pending ON users (id) WHERE state = 'blocked_pending_approval';
    `)
  }
}
