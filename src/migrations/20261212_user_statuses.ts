import { Migration } from '@mikro-orm/migrations'

/** The status that a user shows, and the accounts of a user at external identity providers. */
export class UserStatuses extends Migration {
  override up() {
    this.addSql(`
      CREATE TABLE user_statuses (
        user_id bigint PRIMARY KEY REFERENCES users ON DELETE CASCADE,
        emoji text NOT NULL,
        message text NOT NULL,
        availability text NOT NULL,
        clears_at timestamptz,
        updated_at timestamptz NOT NULL DEFAULT now()
      );

      CREATE TABLE user_identities (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
        provider text NOT NULL,
        extern_uid text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE UNIQUE INDEX user_identities_provider ON user_identities (user_id, provider);
      CREATE UNIQUE INDEX user_identities_extern_uid ON user_identities (provider, extern_uid);
    `)
  }
}
