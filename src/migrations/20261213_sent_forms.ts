import { Migration } from '@mikro-orm/migrations'

/** What was typed into a form whose session had ended, and the forms that were accepted. */
export class SentForms extends Migration {
  override up() {
    this.addSql(`
      CREATE TABLE form_drafts (
        user_id bigint PRIMARY KEY REFERENCES users ON DELETE CASCADE,
        page text NOT NULL,
        action text NOT NULL,
        fields bytea NOT NULL,
        expires_at timestamptz NOT NULL
      );

      CREATE TABLE sent_forms (
        digest text PRIMARY KEY,
        location text,
        sent_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX sent_forms_time ON sent_forms (sent_at);
    `)
  }
}
