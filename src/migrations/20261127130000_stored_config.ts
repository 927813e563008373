import { Migration } from '@mikro-orm/migrations'

/** The public address and the mail server, which admins set unless the environment does, and the first steps that users skip. People who are invited can sign up. */
export class StoredConfig extends Migration {
  override up() {
    this.addSql(`
      ALTER TABLE instance_settings
        ADD COLUMN base_url text NOT NULL DEFAULT '',
        ALTER COLUMN sign_up SET DEFAULT 'invited';
      CREATE TABLE mail_server (
        id smallint PRIMARY KEY CHECK (id = 1),
        host text NOT NULL,
        port integer NOT NULL CHECK (port BETWEEN 1 AND 65535),
        security text NOT NULL CHECK (security IN ('starttls', 'tls', 'none')),
        username text NOT NULL,
        password bytea,
        sender text NOT NULL,
        updated_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE TABLE skipped_steps (
        user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
        step text NOT NULL,
        PRIMARY KEY (user_id, step)
      );
    `)
  }
}
