import { Migration } from '@mikro-orm/migrations'

/** Browsers that a user signed in with: failures of others do not lock them out. */
export class KnownDevices extends Migration {
  override up() {
    this.addSql(`
      CREATE TABLE known_devices (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
        token_hash bytea NOT NULL UNIQUE,
        failed_sign_ins smallint NOT NULL DEFAULT 0,
        locked_until timestamptz,
        seen_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX known_devices_user ON known_devices (user_id);
      CREATE INDEX known_devices_age ON known_devices (seen_at);
    `)
  }
}
