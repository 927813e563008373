import { Migration } from '@mikro-orm/migrations'

/** People at an OpenID Connect provider, and sign-ins that have begun there. */
export class Identities extends Migration {
  override up() {
    this.addSql(`
      CREATE TABLE identities (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
        issuer text NOT NULL,
        subject text NOT NULL,
        email text NOT NULL,
        seen_at timestamptz NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        UNIQUE (issuer, subject),
        UNIQUE (user_id, issuer)
      );

      CREATE TABLE provider_sign_ins (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        state_hash bytea NOT NULL UNIQUE,
        browser_hash bytea NOT NULL,
        user_id bigint REFERENCES users ON DELETE CASCADE,
        return_to text NOT NULL,
        expires_at timestamptz NOT NULL
      );
      CREATE INDEX provider_sign_ins_user ON provider_sign_ins (user_id) WHERE user_id IS NOT NULL;
      CREATE INDEX provider_sign_ins_expiry ON provider_sign_ins (expires_at);
    `)
  }
}
