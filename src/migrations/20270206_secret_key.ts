import { Migration } from '@mikro-orm/migrations'

/** The fingerprint of the secret key, by which a process with another one is refused. */
export class SecretKey extends Migration {
  override up() {
    this.addSql(`
      CREATE TABLE secret_key (
        id smallint PRIMARY KEY DEFAULT 1 CHECK (id = 1),
        fingerprint text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now()
      );
    `)
  }
}
