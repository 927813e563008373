import { Migration } from '@mikro-orm/migrations'

/** Threads of notes, and emoji on issues and notes. */
export class Discussions extends Migration {
  override up() {
    this.addSql(`
      ALTER TABLE issue_notes
        ADD discussion_id text NOT NULL DEFAULT left(encode(sha256(gen_random_uuid()::text::bytea), 'hex'), 40),
        ADD is_threaded boolean NOT NULL DEFAULT false;
      CREATE INDEX issue_notes_discussion ON issue_notes (issue_id, discussion_id);

      CREATE TABLE award_emoji (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        issue_id bigint NOT NULL REFERENCES issues ON DELETE CASCADE,
        note_id bigint REFERENCES issue_notes ON DELETE CASCADE,
        user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
        name text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE UNIQUE INDEX award_emoji_issue ON award_emoji (issue_id, user_id, name) WHERE note_id IS NULL;
      CREATE UNIQUE INDEX award_emoji_note ON award_emoji (note_id, user_id, name) WHERE note_id IS NOT NULL;
      CREATE INDEX award_emoji_all ON award_emoji (issue_id);
      CREATE INDEX award_emoji_user ON award_emoji (user_id);
    `)
  }
}
