import { Migration } from '@mikro-orm/migrations'

/** Users, their addresses and sessions. */
export class Identity extends Migration {
  override up() {
    this.addSql(`
      CREATE TABLE users (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        username text NOT NULL,
        name text NOT NULL,
        email text NOT NULL,
        state text NOT NULL DEFAULT 'active',
        is_admin boolean NOT NULL DEFAULT false,
        password_hash text,
        must_change_password boolean NOT NULL DEFAULT false,
        created_at timestamptz NOT NULL DEFAULT now(),
        kind text NOT NULL DEFAULT 'human' CHECK (kind IN ('human', 'project_bot', 'group_bot', 'ghost')),
        public_email text NOT NULL DEFAULT '',
        bio text NOT NULL DEFAULT '',
        location text NOT NULL DEFAULT '',
        organization text NOT NULL DEFAULT '',
        job_title text NOT NULL DEFAULT '',
        website_url text NOT NULL DEFAULT '',
        note text,
        is_private_profile boolean NOT NULL DEFAULT false,
        is_external boolean NOT NULL DEFAULT false,
        can_create_group boolean NOT NULL DEFAULT true,
        failed_sign_ins smallint NOT NULL DEFAULT 0,
        locked_until timestamptz,
        totp_secret bytea,
        totp_enabled_at timestamptz,
        totp_last_step bigint,
        recovery_codes bytea[] NOT NULL DEFAULT '{}',
        current_sign_in_at timestamptz,
        last_sign_in_at timestamptz,
        updated_at timestamptz NOT NULL DEFAULT now(),
        projects_limit integer NOT NULL DEFAULT 100000,
        last_activity_on date,
        current_sign_in_ip text,
        last_sign_in_ip text,
        avatar text,
        time_zone text NOT NULL DEFAULT '',
        confirmed_at timestamptz DEFAULT now()
      );
      CREATE UNIQUE INDEX users_username ON users (lower(username));
      CREATE UNIQUE INDEX users_email ON users (lower(email));
      CREATE INDEX users_name ON users (name, id);
      CREATE INDEX users_username_order ON users (username, id);
      CREATE UNIQUE INDEX users_ghost ON users (kind) WHERE kind = 'ghost';

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

      CREATE TABLE sessions (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
        token_hash bytea NOT NULL UNIQUE,
        ip text,
        user_agent text,
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL,
        awaits_code boolean NOT NULL DEFAULT false,
        seen_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX sessions_user ON sessions (user_id);
      CREATE INDEX sessions_expiry ON sessions (expires_at);

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

      CREATE TABLE sent_forms (
        digest text PRIMARY KEY,
        location text,
        sent_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX sent_forms_time ON sent_forms (sent_at);
    `)
  }
}
