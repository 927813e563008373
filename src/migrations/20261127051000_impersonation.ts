import { Migration } from '@mikro-orm/migrations'

/** The user whom an admin impersonates in a session. */
export class Impersonation extends Migration {
  override up() {
    this.addSql(`
      ALTER TABLE sessions ADD COLUMN impersonated_id bigint REFERENCES users ON DELETE SET NULL;
      CREATE INDEX sessions_impersonated ON sessions (impersonated_id) WHERE impersonated_id IS NOT NULL;
    `)
  }
}
