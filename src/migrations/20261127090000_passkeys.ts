import { Migration } from '@mikro-orm/migrations'

/** Passkeys of users, and the challenges that were answered. */
export class Passkeys extends Migration {
  override up() {
    this.addSql(`
      ALTER TABLE users ADD COLUMN passkey_count smallint NOT NULL DEFAULT 0;

      CREATE TABLE passkeys (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
        name text NOT NULL,
        credential_id bytea NOT NULL UNIQUE,
        public_key bytea NOT NULL,
        counter bigint NOT NULL,
        transports text[] NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        last_used_at timestamptz
      );
      CREATE INDEX passkeys_user ON passkeys (user_id);

      CREATE TABLE used_challenges (
        nonce text PRIMARY KEY,
        expires_at timestamptz NOT NULL
      );
      CREATE INDEX used_challenges_expiry ON used_challenges (expires_at);
    `)
  }
}
