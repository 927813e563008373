import { Migration } from '@mikro-orm/migrations'

/** SSH keys of users and projects, and the GPG keys of users. A key belongs to one user or is a deploy key. */
export class UserKeys extends Migration {
  override up() {
    this.addSql(`
      CREATE TABLE ssh_keys (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        user_id bigint REFERENCES users ON DELETE CASCADE,
        title text NOT NULL,
        key text NOT NULL,
        fingerprint_md5 text NOT NULL,
        fingerprint_sha256 text NOT NULL,
        usage_type text NOT NULL DEFAULT 'auth_and_signing',
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz,
        last_used_at timestamptz
      );
      CREATE UNIQUE INDEX ssh_keys_fingerprint ON ssh_keys (fingerprint_sha256);
      CREATE INDEX ssh_keys_md5 ON ssh_keys (fingerprint_md5);
      CREATE INDEX ssh_keys_user ON ssh_keys (user_id);

      CREATE TABLE gpg_keys (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
        key text NOT NULL,
        fingerprint text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE UNIQUE INDEX gpg_keys_fingerprint ON gpg_keys (fingerprint);
      CREATE INDEX gpg_keys_user ON gpg_keys (user_id);
    `)
  }
}
