import { Migration } from '@mikro-orm/migrations'

/** Groups of messages are told apart from those of exceptions. The name of a message is its first line, of an exception its type. */
export class Messages extends Migration {
  override up() {
    this.addSql(`
      ALTER TABLE error_groups ADD is_message boolean NOT NULL DEFAULT false;
      UPDATE error_groups SET is_message = true WHERE name = rtrim(split_part(ltrim(description, E' \\t\\r\\n'), E'\\n', 1));
      CREATE INDEX error_groups_messages ON error_groups (project_id, last_seen_at DESC) WHERE is_message;
    `)
  }
}
