import { Migration } from '@mikro-orm/migrations'

/** Everything that can be changed has the time of its last change, for `If-Unmodified-Since`. */
export class UpdatedAt extends Migration {
  override up() {
    for (const table of ['members', 'access_tokens', 'client_keys', 'alert_metric_images']) {
      this.addSql(`ALTER TABLE ${table} ADD updated_at timestamptz`)
      this.addSql(`UPDATE ${table} SET updated_at = created_at`)
      this.addSql(`ALTER TABLE ${table} ALTER updated_at SET DEFAULT now(), ALTER updated_at SET NOT NULL`)
    }
    for (const table of ['alert_settings', 'error_settings', 'error_groups']) {
      this.addSql(`ALTER TABLE ${table} ADD updated_at timestamptz NOT NULL DEFAULT now()`)
    }
  }
}
