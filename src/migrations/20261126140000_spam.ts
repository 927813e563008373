import { Migration } from '@mikro-orm/migrations'

/** What was found to be spam. */
export class Spam extends Migration {
  override up() {
    this.addSql(`
      CREATE TABLE spam_logs (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
        kind text NOT NULL,
        title text NOT NULL,
        text text NOT NULL,
        reason text NOT NULL,
        ip_address text NOT NULL,
        user_agent text NOT NULL,
        via_api boolean NOT NULL,
        used_at timestamptz,
        marked_as_ham_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX spam_logs_user ON spam_logs (user_id);
      CREATE INDEX spam_logs_created ON spam_logs (created_at);

      CREATE TABLE spam_texts (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
        text_hash bytea NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX spam_texts_user ON spam_texts (user_id, text_hash);
      CREATE INDEX spam_texts_created ON spam_texts (created_at);

      -- One row: when the spam service failed last, and how.
      CREATE TABLE spam_service_failures (
        id smallint DEFAULT 1 PRIMARY KEY CHECK (id = 1),
        failed_at timestamptz NOT NULL,
        message text NOT NULL
      );
    `)
  }
}
