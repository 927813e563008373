import { Migration } from '@mikro-orm/migrations'

/** The primary address of a user is in `users`, the others are here. An address belongs to one user. */
export class UserEmails extends Migration {
  override up() {
    this.addSql(`
      ALTER TABLE users ADD confirmed_at timestamptz DEFAULT now();
      UPDATE users SET confirmed_at = created_at;

      CREATE TABLE user_emails (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
        email text NOT NULL,
        confirmed_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE UNIQUE INDEX user_emails_email ON user_emails (lower(email));
      CREATE INDEX user_emails_user ON user_emails (user_id);
      CREATE INDEX user_emails_unconfirmed ON user_emails (created_at) WHERE confirmed_at IS NULL;
    `)
  }
}
