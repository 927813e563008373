import { Migration } from '@mikro-orm/migrations'

/** Who was told of an alert by e-mail, so that they are told once. */
export class AlertMails extends Migration {
  override up() {
    this.addSql(`
      CREATE TABLE alert_mails (
        alert_id bigint NOT NULL REFERENCES alerts ON DELETE CASCADE,
        became text NOT NULL CHECK (became IN ('triggered', 'resolved')),
        user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
        sent_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (alert_id, became, user_id)
      );
      CREATE INDEX alert_mails_user ON alert_mails (user_id);
    `)
  }
}
